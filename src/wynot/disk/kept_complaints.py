"""What programs have said of candidates, in the journal: a run that is resumed hears the same."""

from wynot.core.complaints import Complaints, complaints_as_text, complaints_of_text
from wynot.disk.database import COMPLAINTS_TABLE
from wynot.disk.journal import Journal


def keep_complaints(journal: Journal, epoch: int, digest: bytes, said: Complaints) -> None:
    """Write down what a program has said of a candidate."""
    with journal.writing() as connection:
        connection.execute(COMPLAINTS_TABLE)
        row = epoch, digest, complaints_as_text(said)
        connection.execute("INSERT INTO complaints VALUES (?, ?, ?)", row)


def complaints_kept(journal: Journal, epoch: int) -> dict[bytes, Complaints]:
    """Return what was said in an epoch, by digest; the first time counts."""
    if not journal.read("SELECT 1 FROM sqlite_master WHERE name = 'complaints'"):
        return {}
    rows = journal.read("SELECT digest, said FROM complaints WHERE epoch = ?", epoch)
    found = ((digest, complaints_of_text(str(said))) for digest, said in reversed(rows))
    return {digest: said for digest, said in found if said is not None}
