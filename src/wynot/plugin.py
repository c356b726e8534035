"""What a plug-in may import: these names stay, wherever they come to be defined."""

from wynot.core.files import Files
from wynot.core.texts.parts import Parts
from wynot.core.texts.rewrites import Patch, Rewrite, rewritten
from wynot.core.texts.tree import Tree
from wynot.formats.containers.container import Broken, Container, Member, Packed
from wynot.formats.language import Language
from wynot.formats.parsers.brackets import parse as parse_brackets
from wynot.passes.reduction_pass import Cut, DeleteParts, Pass
from wynot.passes.trees.forest import Forest
from wynot.passes.trees.parsed_files import Trees

# fmt: off
__all__ = [
    "Broken", "Container", "Cut", "DeleteParts", "Files", "Forest", "Language", "Member", "Packed",
    "Parts", "Pass", "Patch", "Rewrite", "Tree", "Trees", "parse_brackets", "rewritten",
]
# fmt: on
