"""The few lines that fail, and what stands before them: which headers, modules and classes."""

CPP = {
    "a requirement of a lambda": (
        "map string_view",
        """
namespace shop {
template<class Key, class Value> class Registry {
  std::map<Key, Value> entries;
public:
  void add(Key key, Value value) { entries.insert({key, value}); }
  template<class... Visitors> void visit(Visitors... visitors) {
    for (auto& [key, value] : entries)
      ([&]<class Entry>(Entry entry) requires (sizeof(Visitors) <= sizeof(Entry)) {
        entry(value);
      }(visitors), ...);
  }
};
}
int main() {
  shop::Registry<std::string_view, int> registry;
  registry.add("one", 1);
  registry.visit([](int value) { return value + 1; }, [](int) {});
}
""",
        "internal compiler error: in dependent_type_p",
    ),
    "a lambda as a default": (
        "ranges vector",
        """
template<class Item>
using Formatter = decltype([](const Item& item) -> const Item& { return item; });
template<std::ranges::input_range Range,
         class Format = Formatter<std::ranges::range_value_t<Range>>>
int printed(Range&& range, Format format = {}) {
  int count = 0;
  for (auto&& each : range | std::views::transform(format)) count += each;
  return count;
}
int main() {
  std::vector<int> numbers{1, 2, 3};
  return printed(numbers);
}
""",
        "internal compiler error: Segmentation fault",
    ),
    "a failed assertion of the library": (
        "functional string variant vector",
        """
struct Circle { double radius; };
struct Square { double side; };
using Shape = std::variant<Circle, Square>;
class Canvas {
  std::vector<Shape> shapes;
  std::function<void(const std::string&)> report;
public:
  void add(const Shape& shape) { shapes.push_back(shape); }
  void total() const { report(std::to_string(shapes.size())); }
};
std::variant<int, int&> broken;
int main() {
  Canvas canvas;
  canvas.add(Circle{2});
  canvas.total();
}
""",
        "error: static assertion failed: variant must have no reference alternative",
    ),
    "an ambiguous call": (
        "algorithm list utility",
        """
namespace geometry {
struct Point { int x, y; };
template<class T> auto norm(T a, long b) -> decltype(a.x + b) { return a.x + b; }
template<class T> auto norm(T a, unsigned b) -> decltype(a.y + b) { return a.y + b; }
template<class Points> long longest(const Points& points) {
  long most = 0;
  std::for_each(points.begin(), points.end(), [&](auto& point) {
    most = std::max<long>(most, norm(point, 0));
  });
  return most;
}
}
int main() {
  std::list<geometry::Point> points{{1, 2}, {3, 4}};
  auto pair = std::make_pair(points, 1);
  return geometry::longest(pair.first);
}
""",
        "error: call of overloaded .norm(const geometry::Point&, int). is ambiguous",
    ),
}
"""Headers, the program, and what must stand in the first line with an error."""
C_HEADERS = (
    "arpa/inet complex dirent errno fcntl ftw inttypes limits locale math netdb poll pthread regex "
    "sched search semaphore signal stdio stdlib string sys/mman sys/socket sys/stat sys/wait time "
    "unistd wchar"
)
C_PROGRAM = """
struct record { char name[16]; struct stat info; pthread_mutex_t lock; };
static struct record entries[8];
static int used;
static struct record *found(const char *name) {
  for (int i = 0; i < used; i++)
    if (!strcmp(entries[i].name, name)) return &entries[i];
  return 0;
}
int add(const char *name) {
  struct record *entry = found(name);
  if (entry) return 0;
  strncpy(entries[used].name, name, sizeof entries[used].name - 1);
  pthread_mutex_init(&entries[used].lock, 0);
  return stat(name, &entries[used++].info);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (add(argv[i])) perror(argv[i]);
  FAILURE
  return used;
}
"""
C = {
    "an array that is left": (
        "-O2 -Werror=array-bounds",
        "used += entries[used > 0 ? 9 : 8].name[0];",
        "error: array subscript [89] is above array bounds",
    ),
    "types that do not fit": (
        "-O0",
        "entries[0].info = entries[0].lock;",
        "error: incompatible types when assigning to type .struct stat.",
    ),
}
PYTHON = (
    "string textwrap bisect heapq calendar shlex cmd difflib fractions statistics "
    "configparser optparse ast tokenize doctest _pydecimal"
)
OTHER_PYTHON = (
    "argparse csv pprint ipaddress dataclasses inspect zipfile tarfile tempfile datetime typing "
    "mailbox plistlib"
)
PYGMENTS = (
    "util token filter modeline plugin style regexopt lexer lexers/c_cpp lexers/ruby lexers/rust "
    "lexers/data lexers/perl lexers/shell lexers/haxe lexers/special lexers/ml lexers/graphics "
    "lexers/asm lexers/fortran lexers/esoteric lexers/parsers lexers/int_fiction lexers/dsls "
    "lexers/configs lexers/prolog lexers/algebra lexers/erlang lexers/testing lexers/hdl lexers/r"
)
PYTHON_FAILURES = {
    "a fraction": (
        """
import sys

def part(text):
    parser = OptionParser()
    parser.add_option('-n')
    options, rest = parser.parse_args(text)
    return Fraction(1, len(rest))

print(part(['-n', '3']))
""",
        "ZeroDivisionError: Fraction(1, 0)",
    ),
    "a template": (
        """
import sys

class Report(Cmd):
    def do_show(self, line):
        for word in split(line):
            print(Template(word).substitute())

Report().onecmd('show one $two')
""",
        "KeyError: .two.",
    ),
}
NETWORK = """
@dataclass
class Rule:
    network: str
    ports: list = field(default_factory=list)

    def addresses(self):
        return ip_network(self.network).num_addresses

def main(arguments):
    parser = ArgumentParser()
    parser.add_argument('networks', nargs='+')
    for each in parser.parse_args(arguments).networks:
        pprint(Rule(each).addresses())

main(['10.0.0.0/8', '10.0.0.1/8'])
"""
LEXER = """
def marked(text, name, **options):
    lexers = {'c': CLexer, 'ruby': RubyLexer, 'rust': RustLexer}
    return [value for kind, value in lexers[name](**options).get_tokens(text) if kind in Name]

print(marked('x = 1', 'c', stripnl=False))
print(marked('x = 1', 'ruby', tabsize='wide'))
"""
SCRIPTS = "semver minimatch brace-expansion balanced-match ms ini diff nopt abbrev"
LOADER = """
const loaded = {};
function load(name) {
  if (!(name in loaded)) {
    const module = loaded[name] = { exports: {} };
    modules[name](module, module.exports, load);
  }
  return loaded[name].exports;
}
"""
SCRIPT_FAILURES = {
    "a setting": (
        r"""
function range(text) {
  const found = load('ini/lib/ini.js').parse(`range = ${text}`).range;
  if (!/^[\d.]+$/.test(found)) throw new TypeError('bad ' + found);
  return found.split('.');
}
const { coerce } = { coerce: text => load('ms/index.js')(text) };
console.log(coerce('2 days'), range('x.1'));
""",
        "TypeError: bad x.1",
    ),
    "a duration": (
        """
const ms = load('ms/index.js');
function wait(times) {
  return times.map(each => ms(each)).reduce((a, b) => a + b);
}
console.log(wait(['2 days', {}]));
""",
        "Error: val is not a non-empty string",
    ),
}
ADDRESSES = "ip-address socks hosted-git-info lru-cache http-cache-semantics negotiator iconv-lite"
ADDRESS = """
const { Address4 } = require_ip_address_dist_ip_address();
function hosts(networks) {
  return networks.map(each => new Address4(each)).map(each => each.startAddress().address);
}
console.log(hosts(['10.0.0.0/8', '10.0.0.400']));
"""
SELECTORS = "postcss-selector-parser cssesc util-deprecate tar diff minipass jsonparse"
SELECTOR = """
const loaded = [];
function load(number) {
  if (!loaded[number]) {
    const module = loaded[number] = { exports: {} };
    modules[number](module, module.exports, load);
  }
  return loaded[number].exports;
}
const parser = load(NUMBER);
function shorter(text) {
  return parser(root => root.walkClasses(each => each.remove())).processSync(text);
}
console.log(shorter('a.b, c > d'), shorter('a: b'));
"""
JAVA = (
    "BigDecimal BigInteger BitSieve MathContext MutableBigInteger RoundingMode "
    "SignedMutableBigInteger"
)
INVOICE = """
class Invoice {
    private BigDecimal total = BigDecimal.ZERO;

    void add(String price, int count) {
        total = total.add(new BigDecimal(price).multiply(BigDecimal.valueOf(count)));
    }

    int rounded() {
        return total.setScale(0, RoundingMode.HALF_UP).toBigInteger();
    }
}
"""
JAVA_INTERNALS = "access math misc util vm.annotation"
