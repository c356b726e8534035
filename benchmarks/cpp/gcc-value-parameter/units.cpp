// Quantities with units that are values: the compiler keeps track of dimensions.
namespace units {
struct ratio {
  int num = 1, den = 1;
  constexpr bool operator==(const ratio &) const = default;
};
constexpr int gcd(int a, int b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
constexpr ratio normal(ratio r) {
  int d = gcd(r.num, r.den);
  return {r.num / d, r.den / d};
}
constexpr ratio operator*(ratio a, ratio b) { return normal({a.num * b.num, a.den * b.den}); }
constexpr ratio operator/(ratio a, ratio b) { return a * ratio{b.den, b.num}; }

template <int Bases> struct dimension {
  int powers[Bases] = {};
  constexpr bool operator==(const dimension &) const = default;
};
template <int Bases>
constexpr dimension<Bases> operator+(dimension<Bases> a, dimension<Bases> b) {
  dimension<Bases> sum;
  for (int i = 0; i < Bases; ++i)
    sum.powers[i] = a.powers[i] + b.powers[i];
  return sum;
}
template <int Bases>
constexpr dimension<Bases> operator-(dimension<Bases> a, dimension<Bases> b) {
  dimension<Bases> difference;
  for (int i = 0; i < Bases; ++i)
    difference.powers[i] = a.powers[i] - b.powers[i];
  return difference;
}

using si = dimension<3>;
constexpr si none{};
constexpr si length{{1, 0, 0}};
constexpr si mass{{0, 1, 0}};
constexpr si time{{0, 0, 1}};
constexpr si speed = length - time;
constexpr si force = mass + speed - time;

template <auto Dimension, class Number = double> class quantity {
  Number amount = 0;

public:
  constexpr quantity() = default;
  constexpr explicit quantity(Number n) : amount(n) {}
  constexpr Number value() const { return amount; }
  constexpr quantity operator-() const { return quantity(-amount); }
  constexpr quantity &operator+=(quantity other) {
    amount += other.amount;
    return *this;
  }
  friend constexpr quantity operator+(quantity a, quantity b) { return a += b; }
  friend constexpr bool operator<(quantity a, quantity b) { return a.amount < b.amount; }
};

template <auto A, auto B>
constexpr auto operator*(quantity<A> a, quantity<B> b) {
  return quantity<A + B>(a.value() * b.value());
}
template <auto A, auto B>
constexpr auto operator/(quantity<A> a, quantity<B> b) {
  return quantity<A - B>(a.value() / b.value());
}

namespace literals {
constexpr auto operator""_m(long double v) { return quantity<length>(double(v)); }
constexpr auto operator""_s(long double v) { return quantity<time>(double(v)); }
constexpr auto operator""_kg(long double v) { return quantity<mass>(double(v)); }
} // namespace literals

template <class T> struct is_quantity { static constexpr bool value = false; };
template <auto D, class N> struct is_quantity<quantity<D, N>> { static constexpr bool value = true; };
} // namespace units

namespace report {
struct line {
  char text[40] = {};
  int used = 0;
  constexpr void put(char c) {
    if (used < 39)
      text[used++] = c;
  }
  constexpr void number(int n) {
    if (n < 0) {
      put('-');
      n = -n;
    }
    if (n > 9)
      number(n / 10);
    put(char('0' + n % 10));
  }
};

// Says what a quantity is measured in.
template <int Bases, units::dimension<Bases> Dimension>
constexpr line unit_of(units::quantity<Dimension>) {
  constexpr const char *names[] = {"m", "kg", "s"};
  line out;
  for (int i = 0; i < Bases; ++i)
    if (int power = Dimension.powers[i]) {
      for (const char *c = names[i % 3]; *c; ++c)
        out.put(*c);
      if (power != 1)
        out.number(power);
    }
  return out;
}
template <class Quantity> constexpr int width(Quantity q) {
  static_assert(units::is_quantity<Quantity>::value);
  return unit_of(q).used;
}
} // namespace report

using namespace units::literals;

template <class Path, class Duration> constexpr auto average(Path path, Duration duration) {
  return path / duration;
}

struct body {
  units::quantity<units::mass> weight;
  units::quantity<units::length> at;
  constexpr void move(units::quantity<units::speed> v, units::quantity<units::time> t) { at += v * t; }
};

int main() {
  body ball{2.0_kg, 0.0_m};
  ball.move(average(10.0_m, 4.0_s), 2.0_s);
  auto push = ball.weight * (average(1.0_m, 1.0_s) / 1.0_s);
  return report::width(push) == 6 && ball.at.value() == 5 ? 0 : 1;
}
