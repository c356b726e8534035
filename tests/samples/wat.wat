;; What is added up.
(module
  (import "env" "print" (func $print (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "hello\n")
  (global $count (mut i32) (i32.const 0))
  (table 2 funcref)
  (type $binary (func (param i32 i32) (result i32)))
  (; two
     lines ;)
  (func $total (export "total") (type $binary) (param $a i32) (param $b i32) (result i32)
    (local $sum i32)
    (local.set $sum (i32.add (local.get $a) (i32.mul (local.get $b) (i32.const 0x2))))
    (block $done
      (loop $again
        (br_if $done (i32.lt_s (local.get $sum) (i32.const 10)))
        (local.set $sum (i32.sub (local.get $sum) (i32.const 1)))
        (br $again)))
    (if (i32.eqz (local.get $sum)) (then (call $print (i32.const 3))))
    local.get $sum)
  (start $main)
  (func $main (drop (call $total (i32.const 1) (i32.const -2)))))
