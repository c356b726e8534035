// What is added up.
module {
  func.func @total(%a: i32, %b: i32) -> i32 {
    %c2 = arith.constant 2 : i32
    %0 = arith.muli %b, %c2 : i32
    %1 = arith.addi %a, %0 : i32
    return %1 : i32
  }

  func.func @loop(%m: memref<16xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %m[%i] : memref<16xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %m[%i] : memref<16xf32>
    }
    return
  }

  func.func private @print(i32) attributes {name = "print"}

  func.func @main() -> i32 {
    %c3 = arith.constant 3 : i32
    %0 = func.call @total(%c3, %c3) : (i32, i32) -> i32
    cf.br ^bb1(%0 : i32)
  ^bb1(%1: i32):
    return %1 : i32
  }
}
