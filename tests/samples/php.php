<!DOCTYPE html>
<h1>Shop</h1>
<?php
declare(strict_types=1);

namespace Shop;

use InvalidArgumentException as Invalid;

/** What is sold. */
interface Priced { public function price(): float; }

abstract class Item implements Priced
{
    private const LIMIT = 0x10;
    public function __construct(protected string $name, private ?float $price = 0.5) {}
    public function price(): float { return $this->price ?? self::LIMIT; }
    abstract public function describe(string ...$words): string;
}

enum State: string { case Open = 'open'; case Paid = 'paid'; }

function total(array $items, callable $rate = null): float
{
    $sum = 0;
    foreach ($items as $key => $item) {
        if ($item === null || !($item instanceof Item)) {
            throw new Invalid("no item at {$key}");
        } elseif ($key > 3) {
            break;
        }
        $sum += $item->price() * ($rate ? $rate($key) : 1);
    }
    for ($i = 0; $i < 3; $i++) { $sum -= $i; }
    while ($sum > 10) { $sum /= 2; } // smaller
    return match (true) { $sum > 5 => 1.5, default => $sum };
}

$names = ['apple' => 1, "pear\n", ...[2, 3]];
$twice = fn($x) => $x * 2;
try {
    echo total([], $twice), <<<EOT
two lines $names[apple]
EOT;
} catch (Invalid $e) { print $e->getMessage(); }
?>
<p>end</p>
