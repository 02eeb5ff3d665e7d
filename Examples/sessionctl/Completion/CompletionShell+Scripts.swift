extension CompletionShell {
    /// The script of `sessionctl completion`.
    var completionScript: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Works without the package bash-completion: it passes the line, not the words that bash has divided.
    private static let bashScript = #"""
        # shellcheck shell=bash
        # Completion of sessionctl for bash. To install it, write it to a file that bash-completion loads:
        #   mkdir -p ~/.local/share/bash-completion/completions
        #   sessionctl completion bash >~/.local/share/bash-completion/completions/sessionctl
        # Without the package bash-completion, add this line to ~/.bashrc:
        #   source <(sessionctl completion bash)
        _sessionctl() {
            local line input=${COMP_LINE:0:COMP_POINT}
            COMPREPLY=()
            compopt -o nosort 2>/dev/null
            while IFS= read -r line; do
                case $line in
                "word "*) COMPREPLY+=("${line#* }") ;;
                "part "*)
                    COMPREPLY+=("${line#* }")
                    compopt -o nospace
                    ;;
                # Bash completes names itself, where there is no other candidate.
                "files "*) compopt -o default ;;
                "directories "*) compopt -o dirnames ;;
                esac
            done < <(command sessionctl complete bash -- "$input" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
        }
        complete -F _sessionctl sessionctl

        """#

    private static let zshScript = #"""
        #compdef sessionctl
        # Completion of sessionctl for zsh. To install it, write it to a directory of $fpath, such as:
        #   sessionctl completion zsh >/usr/local/share/zsh/site-functions/_sessionctl
        # Or add this line to ~/.zshrc, after compinit:
        #   source <(sessionctl completion zsh)
        _sessionctl() {
            local line kind text
            local -a whole wholeRows parts partRows names
            local input="${(j: :)words[1,CURRENT-1]} $IPREFIX$QIPREFIX$PREFIX"
            for line in "${(@f)$(command sessionctl complete zsh -- "$input" 2>/dev/null </dev/null)}"; do
                kind=${line%% *} text=${line#* }
                case $kind in
                word) whole+=("${text%%$'\t'*}") wholeRows+=("${text#*$'\t'}") ;;
                part) parts+=("${text%%$'\t'*}") partRows+=("${text#*$'\t'}") ;;
                files | directories) names=($kind) ;;
                esac
            done
            (( $#whole )) && compadd -U -V values -l -d wholeRows -a whole
            (( $#parts )) && compadd -U -V values -l -d partRows -S '' -a parts
            if (( $#names )); then
                [[ $PREFIX == --*=* ]] && compset -P '*='
                [[ $names == files ]] && _files || _files -/
            fi
        }
        if [[ $funcstack[1] == _sessionctl ]]; then
            _sessionctl "$@"
        else
            compdef _sessionctl sessionctl
        fi

        """#

    private static let fishScript = #"""
        # Completion of sessionctl for fish. To install it:
        #   sessionctl completion fish >~/.config/fish/completions/sessionctl.fish
        function __sessionctl_complete
            set -l input (commandline -cp | string collect)
            for line in (command sessionctl complete fish -- $input 2>/dev/null </dev/null)
                set -l fields (string split -m 1 ' ' -- $line)
                switch $fields[1]
                    case files
                        set -l name (string replace -- "$fields[2]" '' (commandline -ct))
                        __fish_complete_path $name | string replace -r '^' -- $fields[2]
                    case directories
                        set -l name (string replace -- "$fields[2]" '' (commandline -ct))
                        __fish_complete_directories $name '' | string replace -r '^' -- $fields[2]
                    case '*'
                        printf '%s\n' $fields[2]
                end
            end
        end
        complete -c sessionctl -f -k -a '(__sessionctl_complete)'

        """#
}
