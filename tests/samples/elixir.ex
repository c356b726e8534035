defmodule Shop.Order do
  @moduledoc """
  What is sold.
  """
  use GenServer
  alias Shop.Item

  @limit 0x10
  defstruct items: [], state: :open

  @spec total([Item.t()], keyword) :: {:ok, float} | {:error, atom}
  def total(items, opts \\ [])
  def total([], _opts), do: {:error, :empty}

  def total(items, opts) when is_list(items) and length(items) < @limit do
    rate = Keyword.get(opts, :rate, 1.5)

    sum =
      items
      |> Enum.filter(&(&1.price > 0))
      |> Enum.map(fn item -> item.price * rate end)
      |> Enum.sum()

    if sum > 10, do: {:error, :dear}, else: {:ok, sum}
  end

  def describe(%{name: name, price: price} = _item) do
    case price do
      0 -> "free #{name}"
      p when p < 1 -> ~s(cheap)
      _ -> 'dear'
    end
  rescue
    e in ArgumentError -> e.message
  end

  # Two of them.
  defp pairs(items), do: for(a <- items, b <- items, a != b, do: {a, b})
end
