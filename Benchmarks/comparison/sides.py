"""Builds the two sides, and copies their programs to paths of equal length, because a path is part of the stack."""

import os
import pathlib
import shutil
import subprocess
import typing

from .programs import MeasurementError, Program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILDS = ROOT / ".build" / "compare"


class Side(typing.NamedTuple):
    """One of the two revisions."""

    label: str
    checkout: pathlib.Path
    # Has copies of the programs.
    folder: pathlib.Path

    @property
    def kept(self) -> pathlib.Path:
        """Has the programs as they were built, which another build cannot replace during the measurement."""
        return self.folder.with_name(f"{self.folder.name}.built")

    @property
    def benchmarks(self) -> pathlib.Path:
        return self.checkout / "Benchmarks"

    def has(self, program: Program) -> bool:
        return (self.benchmarks / "Sources" / program.name).is_dir()

    def build(self, programs: list[Program]) -> None:
        self.kept.mkdir()
        for program in programs:
            self._build(self.benchmarks, program.name)
            if program.companion:
                self._build(self.checkout, program.companion)
        self.renew()

    def _build(self, package: pathlib.Path, product: str) -> None:
        shutil.copy(build(package, product) / product, self.kept)

    def renew(self) -> None:
        """Copies the programs to other pages of memory: the caches are indexed by physical addresses, and all processes
        of one copy share its pages, whose luck would otherwise look like a difference."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)


def build(package: pathlib.Path, product: str = "") -> pathlib.Path:
    """Builds a product, or all, and returns the directory with the programs."""
    swift = os.environ.get("SWIFT", "swift")
    command = [swift, "build", "--configuration", "release", "--package-path", str(package)]
    selected = ["--product", product] if product else []
    # The output of the build is not part of the table.
    if subprocess.run([*command, *selected], stdout=2, check=False).returncode != 0:
        raise MeasurementError(f"{product or 'the package'} of {package} does not build: see above")
    return pathlib.Path(run([*command, "--show-bin-path"]))


def directory() -> pathlib.Path:
    """The directory of checkouts and programs."""
    BUILDS.mkdir(parents=True, exist_ok=True)
    return BUILDS


def revision(name: str) -> str:
    """The commit of a name, abbreviated."""
    try:
        return run(["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", "--short=12", f"{name}^{{commit}}"])
    except MeasurementError:
        raise MeasurementError(f"BASE={name} is no revision of {ROOT}: give a commit, branch or tag") from None


def checkout(commit: str) -> pathlib.Path:
    """A directory with the files of a commit, which is kept with its builds."""
    place = directory() / commit
    if not place.is_dir():
        # Renamed when it is complete.
        new = directory() / f"{commit}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        archive = subprocess.Popen(["git", "-C", str(ROOT), "archive", commit], stdout=subprocess.PIPE)
        extraction = subprocess.run(["tar", "--extract", "--directory", str(new)], stdin=archive.stdout, check=False)
        if archive.wait() != 0 or extraction.returncode != 0:
            raise MeasurementError(f"cannot extract {commit} to {new}")
        new.rename(place)
    return place


def description(place: pathlib.Path) -> str:
    """The commit of a checkout, and whether there are changes."""
    if not (place / ".git").exists():
        return place.name
    return run(["git", "-C", str(place), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty= with changes"])


def run(command: list[str]) -> str:
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if process.returncode != 0:
        raise MeasurementError(f"{' '.join(command)} exited with {process.returncode}")
    return process.stdout.strip()
