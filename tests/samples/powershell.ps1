<# Counts what was sold. #>
param(
    [Parameter(Mandatory = $true)][string]$Path,
    [int]$Limit = 0x10
)

class Item {
    [string]$Name
    [double]$Price
    Item([string]$name, [double]$price) {
        $this.Name = $name
        $this.Price = $price
    }
}

function Get-Total {
    param([Item[]]$Items, [switch]$Twice)
    $sum = 0
    foreach ($item in $Items) {
        if ($item.Price -lt 1.5 -and -not $Twice) {
            $sum += $item.Price
        } elseif ($item.Name -eq "pear") {
            continue
        } else {
            $sum += $item.Price * 2
        }
    }
    return $sum
}

# Two items.
$items = @([Item]::new("apple", 0.5), [Item]::new('pear', 2))
$seen = @{ apple = 1; pear = 2 }
for ($i = 0; $i -lt 3; $i++) { Write-Output "round $i" }
try {
    Get-Content $Path | Where-Object { $_ -match "a+" } | Select-Object -First $Limit
} catch {
    Write-Error "no file: $($_.Exception.Message)"
}
Write-Output (Get-Total -Items $items -Twice)
