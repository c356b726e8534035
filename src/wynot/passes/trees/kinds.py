"""What the names that grammars give to kinds of nodes and to fields tell: one vocabulary.

No language is asked for what its nodes mean. But grammars are written by people, who call a block a
block: so words in the name of a kind tell what to try. A wrong guess costs a test, and no more.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

KindTest: TypeAlias = Callable[[str], bool]
"""Tells something of a kind by its name."""


def _has(words: str, no: str = r"(?!)") -> KindTest:
    """Return what tells whether a kind has one of these words, and none of those."""
    found, spoilt = re.compile(words), re.compile(no)
    return lru_cache(1 << 12)(
        lambda kind: found.search(kind) is not None and spoilt.search(kind) is None
    )


NAMING = frozenset({"name", "declarator", "pattern", "left", "alias", "label"})
"""Fields of what gives a name, or is one that is given."""
NAMING_DATA = NAMING | {"key"}
"""The same, where keys of data count: what mentions one goes with it, but it is not renamed."""
BODIES = frozenset({"body", "consequence", "block"})
"""Fields of what is done, once or again."""
OTHERS = frozenset({"alternative", "handler", "finalizer", "else"})
"""Fields of what is done otherwise."""
TYPES = frozenset({"type", "return_type", "result"})

_LISTS = (
    "block|body|list|statements|compound|program|module|source|translation_unit|"
    "compilation_unit|document|fragment|stylesheet|stream|section|array|object|mapping|sequence|table|element|graph|files"
)
_NO_LISTS = "argument|parameter|expression_list|subscript|qualif|path"
is_list = _has(_LISTS, no=f"{_NO_LISTS}|reference")
"""Something whose members can go one by one."""
ends_mention = _has(_LISTS, no=_NO_LISTS)
"""Where coupled deletion stops to look for what a mention is part of. SQL's ``object_reference`` is
one: then a name goes alone before the statement around it does, and more is left to choose from."""
is_entries = _has("object|mapping|table|pair|element_value")
"""A list, of data, whose members have keys."""
is_block = _has("block|body|compound|suite|statement_list")
is_statement = _has("statement", no="statement_list")

is_import = _has("import|include|require", no="requires")
gives_left = _has("assign|^for|short_var|let")
"""What stands on its left is given a value, and is not only compared or added."""
is_using = _has("using|import|use_decl")
"""A statement that makes names of another scope known."""
creates = _has("^create_")
"""It makes what it names, as in SQL."""
is_insert = _has("^insert$|^insert_statement$")
is_columns = _has("^column_definitions$")
is_column = _has("^column(?:_definition)?$")
is_row = _has("^list$|^values?$|^row$")
is_select = _has("^select$")
is_terms = _has("^select_expression$")
declares = _has(
    "declar|defin|item|spec|param|function|class|struct|enum|method|const|macro|variant|column",
    no="call|invocation",
)
is_definition = _has("cte|alias|typedef|type_declaration|assignment|binding|define|macro")
"""It says what a name stands for, even if it has no fields."""
is_type = _has("type|alias")
is_aside = _has("modifier|specifier|qualifier|annotation|attribute|visibility|storage|type")
"""It stands beside what is declared, and means nothing without it."""
is_qualifier = _has("modifier|qualifier|specifier")
is_no_value = _has("type|field|property|label|statement_identifier|namespace|package")
"""A name of something else than a value."""
is_qualified = _has("field|member|scoped|qualified|reference|attribute")
"""It only says which one of several a name means."""
is_given = _has("argument|parameter")
is_parameter = _has("parameter", no="type|template|argument")
is_pattern = _has("pattern", no="expression|type|scoped|struct")
is_property = _has("^(?:private_)?property_identifier$|^field_identifier$")
"""A name of a member, wherever it stands."""
binds = _has(
    "declar|defin|assign|alias|named_expression|^let|^for|catch|except",
    no="type|specifier|qualified|import|export|using|namespace",
)
"""A name that is given in it means something from there on."""
is_string_piece = _has("^string_(?:content|fragment)$")
is_outer_name = _has("^(?:global|nonlocal)_statement$")
"""It says that a name is not one of the function that it is in."""
is_parameters = _has("^function_value_parameters$")
"""The parameters of a function, where the grammar has no field for them."""
is_function_body = _has("^function_body$")
has_body = _has(
    "function|method|constructor|destructor|lambda|closure|arrow|accessor|initializer_block",
    no="call|invocation|type|reference|signature|declarator",
)
"""Something that does nothing until it is called."""
is_type_qualifier = _has("^type_qualifier$")
is_return = _has("^return(?:_|$)", no="type")
is_namespace_alias = _has("namespace_alias")
is_namespace_name = _has("namespace_identifier")
is_nested_scope = _has("nested_namespace")
is_type_parameters = _has("^(?:template|type)_parameter(?:s|_list)$")
is_qualified_name = _has("qualified_identifier")
defines_type = _has(
    "^type_(?:declaration|spec|item|definition|alias|alias_declaration)$|^alias_declaration$|"
    "^(?:full_type|subtype|interface)_declaration$|^(?:struct|enum)_item$"
)
is_class = _has(
    "class|struct|interface|union", no="clause|body|heritage|base|literal|parameter|field"
)
is_initializers = _has("^field_initializer_list$")
is_class_around = _has("template_declaration|decorated_definition|export_statement|^declaration$")
is_local = _has(
    "^(?:declaration|variable_declaration|lexical_declaration|let_declaration|"
    "local_variable_declaration|local_declaration_statement|var_declaration)$"
)
is_declarator = _has("declarator$")
is_receiver = _has("^self_parameter$")
is_keyed = _has("keyword_argument|named_argument|^pair$")
is_call = _has("^call(?:_expression)?$|^function_call")
is_scope = _has(
    "class|struct|interface|union|namespace|linkage|impl_item|trait|mod_item|internal_module|"
    "object_declaration|protocol",
    no="clause|body|heritage|base|literal|parameter|field|alias|using|list|access|expression|"
    "instance|reference|pattern|constant",
)
"""A namespace, a class or the like: something that has declarations as members."""
is_enumeration = _has("^enum_(?:specifier|declaration|item|definition)$")
is_enumerator = _has("^enumerator$|^enum_(?:constant|variant|entry|case|member)|^enum_assignment$")
is_instantiation = _has("^template_instantiation$")
"""It only has something done that is done anyway where it is needed."""
is_operator_name = _has("^operator_name$")
is_extra = _has("clause$|^noexcept$|^field_initializer_list$|^attribute")
"""It makes what it belongs to more special, which makes sense without it, too."""
is_destructor = _has("^destructor_name$")
is_assigning = _has("^assignment(?:_expression)?$")
wraps = _has(
    "template_declaration|decorated_definition|export_statement|^declaration$|^field_declaration$|"
    "type_definition|linkage_specification|friend_declaration|ambient_declaration"
)
"""What it declares is declared by something inside."""
is_template = _has("template_declaration")
is_namespace = _has("namespace_definition|namespace_declaration|internal_module|mod_item|^module$")
"""A scope that has a name and nothing else."""

is_choice = _has(
    r"(?:^|_)(?:if|unless|while|until|for|foreach|loop|repeat|do|switch|match|select|case|try|with|"
    r"ternary|conditional|unsafe|synchronized|using|lock|checked|begin)(?:_|$)|labeled_statement",
    no="clause|arm|definition|declaration|item|list|initializer|comprehension|pattern|specifier|"
    "type|preproc|modifier|literal|keyword|term|variant|field|match_block|switch_b|_case$|_default",
)
"""A choice, a loop or an attempt."""
is_clause = _has("clause|else|catch|case|arm|default|except|finally|rescue|ensure")
"""One of the ways that a choice has."""
is_loose = _has(
    "binary|unary|ternary|conditional|operator|assign|lambda|arrow|cast|comma|range|"
    "union_type|intersection_type|function_type"
)
"""What needs brackets where its neighbours could take a part of it."""
is_tight = _has(
    "binary|unary|operator|subscript|field|member|call|cast|pointer|selector|attribute|not|await|"
    "array_type"
)
"""What takes a part of its neighbours."""
