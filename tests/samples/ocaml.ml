(* What is sold. *)
open Printf

type item =
  | Fruit of { name : string; price : float }
  | Box of item list
  | Nothing

type 'a order = { items : 'a list; mutable count : int }

exception Empty of string

module type PRICED = sig
  type t
  val price : t -> float
end

module Item : PRICED with type t = item = struct
  type t = item

  let rec price = function
    | Fruit { price; _ } when price > 0.0 -> price
    | Box items -> List.fold_left (fun sum item -> sum +. price item) 0. items
    | Fruit _ | Nothing -> 0.0
end

let total ?(rate = 1.5) ~limit order =
  if order.items = [] then raise (Empty "nothing")
  else begin
    for i = 0 to limit do
      order.count <- order.count + i
    done;
    while order.count > 0x10 do order.count <- order.count / 2 done;
    List.map Item.price order.items |> List.map (( *. ) rate)
  end

let () =
  let order = { items = [ Fruit { name = "apple"; price = 0.5 }; Box [] ]; count = 0 } in
  match total ~limit:3 order with
  | exception Empty why -> prerr_endline why
  | [] -> ()
  | first :: _ -> printf "%f %c %s\n" first 'x' {|raw|}
