(** What is sold. *)

type item =
  | Fruit of { name : string; price : float }
  | Box of item list

type 'a order = private { items : 'a list; count : int }

exception Empty of string

module type PRICED = sig
  type t

  val price : t -> float
end

module Item : PRICED with type t = item

val total : ?rate:float -> limit:int -> item order -> float list
(** What it costs. *)

val cheap : float -> item -> bool
val sort : ('a -> 'a -> int) -> 'a order -> 'a order
external size : 'a -> int = "shop_size"

class till : string -> object
  method print : unit
  val mutable name : string
end
