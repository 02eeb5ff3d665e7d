extension ManualPage {
    static let fileFormatName = (name: "sessionmirror", section: 7)

    /// The page about files and paths, sessionmirror(7).
    static var fileFormat: ManualPage {
        ManualPage(
            name: fileFormatName.name, section: fileFormatName.section,
            summary: "JSON files that people and programs edit at the same time"
        ) { page in
            page.macro("Sh DESCRIPTION")
            page.paragraphs(FileFormatText.description)
            for section in FileFormatText.sections {
                page.macro("Ss \(section.title)")
                page.paragraphs(section.text)
                if !section.items.isEmpty {
                    page.list(section.items.map { ("Li \(MdocText.literal($0.term))", $0.text) })
                }
            }
            page.macro("Sh EXAMPLES")
            page.literal(FileFormatText.examples)
            page.seeAlso([(Sessionctl.name, 1)])
            page.macro("Sh STANDARDS")
            page.paragraphs(FileFormatText.standards)
        }
    }
}
