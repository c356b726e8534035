#include <map>
#include <memory>
#include <string>

namespace shop {

template <typename T, int N = 4>
class Shelf {
public:
    explicit Shelf(std::string name) : name_(std::move(name)) {}
    virtual ~Shelf() = default;

    template <class U>
    auto put(U &&item) -> decltype(auto) {
        return items_.emplace(count_++, std::forward<U>(item));
    }

    T &operator[](int at) { return items_.at(at); }
    bool empty() const noexcept { return items_.empty(); }

private:
    std::string name_;
    std::map<int, T> items_;
    int count_{0};
};

struct Error final : public std::exception {
    const char *what() const noexcept override { return R"(no "shelf")"; }
};

} // namespace shop

using Price = double;
constexpr Price operator""_eur(long double value) { return static_cast<Price>(value); }

int main() {
    auto shelf = std::make_unique<shop::Shelf<Price>>("fruit");
    shelf->put(1.5_eur);
    try {
        for (const auto &[key, price] : std::map<int, Price>{{1, 2.0}, {2, 0.5}}) {
            auto twice = [&, key](Price p) mutable { return p * 2 + key; };
            if (auto result = twice(price); result > 3) throw shop::Error{};
        }
    } catch (const shop::Error &error) {
        return error.what() == nullptr ? 1 : 2;
    }
    return 0;
}
