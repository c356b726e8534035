(module
 (type $none_=>_none (func))
 (type $[i8] (array i8))
 (type $none_=>_i32 (func (result i32)))
 (type ${} (struct ))
 (type $f64_=>_none (func (param f64)))
 (type $none_=>_i64_f32_ref|f64_->_none| (func (result i64 f32 (ref $f64_=>_none))))
 (type $ref?|data|_=>_none (func (param (ref null data))))
 (type $i32_=>_none (func (param i32)))
 (type $i64_=>_none (func (param i64)))
 (type $f32_=>_none (func (param f32)))
 (type $v128_=>_none (func (param v128)))
 (type $ref?|i31|_i64_eqref_i32_=>_f32 (func (param (ref null i31) i64 eqref i32) (result f32)))
 (type $i32_f32_=>_f32 (func (param i32 f32) (result f32)))
 (type $funcref_f64_f32_f32_ref|eq|_ref|eq|_i32_anyref_=>_i32 (func (param funcref f64 f32 f32 (ref eq) (ref eq) i32 anyref) (result i32)))
 (type $i32_v128_f32_ref|eq|_=>_f64_i32 (func (param i32 v128 f32 (ref eq)) (result f64 i32)))
 (type $none_=>_f64_i32 (func (result f64 i32)))
 (type $none_=>_v128 (func (result v128)))
 (import "fuzzing-support" "log-i32" (func $log-i32 (param i32)))
 (import "fuzzing-support" "log-i64" (func $log-i64 (param i64)))
 (import "fuzzing-support" "log-f32" (func $log-f32 (param f32)))
 (import "fuzzing-support" "log-f64" (func $log-f64 (param f64)))
 (import "fuzzing-support" "log-v128" (func $log-v128 (param v128)))
 (global $global$ (mut (i32 i32 i64)) (tuple.make
  (i32.const 65429)
  (i32.const -2147483648)
  (i64.const -32693)
 ))
 (global $global$_0 (mut f64) (f64.const -144115188075855872))
 (global $global$_1 (mut i32) (i32.const -5))
 (global $global$_2 (mut (funcref f32 (ref null data) f64 f64)) (tuple.make
  (ref.func $hashMemory)
  (f32.const 0.4100000262260437)
  (array.init_static $[i8])
  (f64.const 1797693134862315708145274e284)
  (f64.const -1.326)
 ))
 (global $global$_3 (mut funcref) (ref.func $hashMemory))
 (global $global$_4 (mut ((ref null i31) f32 f32 i32)) (tuple.make
  (ref.null i31)
  (f32.const -34359738368)
  (f32.const -17592186044416)
  (i32.const -64)
 ))
 (global $global$_5 (mut anyref) (ref.func $hashMemory))
 (global $global$_6 (mut f64) (f64.const -3402823466385288598117041e14))
 (global $global$_7 (mut anyref) (ref.func $hashMemory))
 (global $global$_8 (mut i64) (i64.const -12))
 (global $global$_9 (mut (i32 f32)) (tuple.make
  (i32.const 2097152)
  (f32.const 4)
 ))
 (global $global$_10 (mut (f64 i64 f64 i64 i32 i32)) (tuple.make
  (f64.const -1)
  (i64.const -1809051042)
  (f64.const -2147483646.06)
  (i64.const 32768)
  (i32.const 1)
  (i32.const -33554433)
 ))
 (global $global$_11 (mut f32) (f32.const -35184372088832))
 (global $global$_12 (mut v128) (v128.const i32x4 0xf8000000 0xffff9e3e 0xffffffbd 0x00000800))
 (global $global$_13 (mut f32) (f32.const -18446744073709551615))
 (global $hangLimit (mut i32) (i32.const 10))
 (memory $0 (shared 16 17))
 (data "\ba\ebe\a9i\d0P \fd\8eR\fe7:\c5/Q\19\96\1a\88")
 (data "\df\a08\97")
 (data (i32.const 0) "\84\d3\e5\c4\a7\aa0\c8\8f\02\a7~\ef\14\c1\e8~\cc-v")
 (table $fuzzing_table 2 2 funcref)
 (elem (i32.const 0) $func_2 $func_4)
 (elem declare func $hashMemory $log-f64)
 (tag $tag$ (param))
 (tag $tag$_0 (param (ref null data)))
 (export "hashMemory" (func $hashMemory))
 (export "memory" (memory $0))
 (export "func" (func $func))
 (export "func_invoker" (func $func_invoker))
 (export "func_0_invoker" (func $func_0_invoker))
 (export "func_1_invoker" (func $func_1_invoker))
 (export "func_3" (func $func_3))
 (export "func_3_invoker" (func $func_3_invoker))
 (export "func_5" (func $func_5))
 (export "hangLimitInitializer" (func $hangLimitInitializer))
 (func $hashMemory (result i32)
  (local $0 i32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (i32.const -22223)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block (result i32)
   (local.set $0
    (i32.const 5381)
   )
   (local.tee $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const -69)
      )
      (ref.eq
       (block $label$0
        (return
         (i32.const -81)
        )
       )
       (array.init_static $[i8])
      )
     )
     (i32.load8_u
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (i32.const 16385)
     )
     (i32.load8_u offset=1
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (i32.load8_u offset=2
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (loop $label$4 (result i32)
      (block
       (if
        (i32.eqz
         (global.get $hangLimit)
        )
        (return
         (i32.const -4194304)
        )
       )
       (global.set $hangLimit
        (i32.sub
         (global.get $hangLimit)
         (i32.const 1)
        )
       )
      )
      (block (result i32)
       (block $label$5
        (memory.init 0
         (i32.and
          (i32.const -3994041)
          (i32.const 15)
         )
         (i32.const 20)
         (i32.const 0)
        )
        (v128.store offset=22
         (i32.const 46708)
         (v128.const i32x4 0xffb0ff81 0x0000ffb1 0xffbd0000 0x780aff93)
        )
       )
       (br_if $label$4
        (i32.eqz
         (i32.const 1)
        )
       )
       (i32.const 26)
      )
     )
     (i32.load8_u offset=3
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (loop $label$6 (result i32)
      (block
       (if
        (i32.eqz
         (global.get $hangLimit)
        )
        (return
         (i32.const -3)
        )
       )
       (global.set $hangLimit
        (i32.sub
         (global.get $hangLimit)
         (i32.const 1)
        )
       )
      )
      (block (result i32)
       (block $label$7
        (nop)
        (loop $label$8
         (block
          (if
           (i32.eqz
            (global.get $hangLimit)
           )
           (return
            (i32.const 2147483646)
           )
          )
          (global.set $hangLimit
           (i32.sub
            (global.get $hangLimit)
            (i32.const 1)
           )
          )
         )
         (loop $label$9
          (block
           (if
            (i32.eqz
             (global.get $hangLimit)
            )
            (return
             (i32.const -1293043)
            )
           )
           (global.set $hangLimit
            (i32.sub
             (global.get $hangLimit)
             (i32.const 1)
            )
           )
          )
          (block $label$10
           (loop $label$11
            (block
             (if
              (i32.eqz
               (global.get $hangLimit)
              )
              (return
               (i32.const 456999288)
              )
             )
             (global.set $hangLimit
              (i32.sub
               (global.get $hangLimit)
               (i32.const 1)
              )
             )
            )
            (block $label$12
             (if
              (block $label$13
               (v128.store offset=4 align=2
                (i32.and
                 (ref.is_null
                  (i31.new
                   (i32.const -33)
                  )
                 )
                 (i32.const 15)
                )
                (block $label$14 (result v128)
                 (nop)
                 (select
                  (v128.const i32x4 0x0000008e 0xffffffd2 0xffa85f0a 0x0000ffd5)
                  (br_if $label$14
                   (v128.load offset=22
                    (i32.const -3785094)
                   )
                   (i32.const -126)
                  )
                  (if (result i32)
                   (i32.const 1545683579)
                   (i32.const 92)
                   (i32.const 131)
                  )
                 )
                )
               )
               (br $label$7)
              )
              (block $label$15
               (nop)
               (memory.copy
                (i32.and
                 (loop $label$16 (result i32)
                  (block
                   (if
                    (i32.eqz
                     (global.get $hangLimit)
                    )
                    (return
                     (i32.const -4)
                    )
                   )
                   (global.set $hangLimit
                    (i32.sub
                     (global.get $hangLimit)
                     (i32.const 1)
                    )
                   )
                  )
                  (block (result i32)
                   (block $label$17
                    (loop $label$18
                     (block
                      (if
                       (i32.eqz
                        (global.get $hangLimit)
                       )
                       (return
                        (i32.const -2147483647)
                       )
                      )
                      (global.set $hangLimit
                       (i32.sub
                        (global.get $hangLimit)
                        (i32.const 1)
                       )
                      )
                     )
                     (block $label$19
                      (block $label$20
                       (global.set $global$_7
                        (ref.func $hashMemory)
                       )
                      )
                      (nop)
                     )
                    )
                    (br_if $label$6
                     (i32.eqz
                      (i32.const -262144)
                     )
                    )
                   )
                   (br_if $label$16
                    (i32.eqz
                     (i32.const 5153)
                    )
                   )
                   (call $hashMemory)
                  )
                 )
                 (i32.const 15)
                )
                (i32.and
                 (block $label$21 (result i32)
                  (nop)
                  (i32.atomic.load8_u offset=4
                   (i32.and
                    (loop $label$22 (result i32)
                     (block
                      (if
                       (i32.eqz
                        (global.get $hangLimit)
                       )
                       (return
                        (i32.const 128)
                       )
                      )
                      (global.set $hangLimit
                       (i32.sub
                        (global.get $hangLimit)
                        (i32.const 1)
                       )
                      )
                     )
                     (block (result i32)
                      (block $label$23
                       (br_if $label$22
                        (i32.atomic.load8_u offset=22
                         (loop $label$24 (result i32)
                          (block
                           (if
                            (i32.eqz
                             (global.get $hangLimit)
                            )
                            (return
                             (i32.const 17425)
                            )
                           )
                           (global.set $hangLimit
                            (i32.sub
                             (global.get $hangLimit)
                             (i32.const 1)
                            )
                           )
                          )
                          (block (result i32)
                           (nop)
                           (br_if $label$24
                            (i32.eqz
                             (i32.const -37)
                            )
                           )
                           (i32.const 0)
                          )
                         )
                        )
                       )
                       (block $label$25
                        (nop)
                        (drop
                         (br_if $label$21
                          (ref.eq
                           (select (result i31ref)
                            (loop $label$26 (result i31ref)
                             (block
                              (if
                               (i32.eqz
                                (global.get $hangLimit)
                               )
                               (return
                                (i32.const -115)
                               )
                              )
                              (global.set $hangLimit
                               (i32.sub
                                (global.get $hangLimit)
                                (i32.const 1)
                               )
                              )
                             )
                             (block (result i31ref)
                              (nop)
                              (br_if $label$26
                               (i32.eqz
                                (i32.const -32768)
                               )
                              )
                              (i31.new
                               (i32.const -113)
                              )
                             )
                            )
                            (i31.new
                             (i32.const 32768)
                            )
                            (i32.const -61)
                           )
                           (i31.new
                            (i32.const -12)
                           )
                          )
                          (i32.eqz
                           (i32.const -99)
                          )
                         )
                        )
                       )
                      )
                      (br_if $label$22
                       (ref.is_null
                        (array.init_static $[i8])
                       )
                      )
                      (i32.const -2113592813)
                     )
                    )
                    (i32.const 15)
                   )
                  )
                 )
                 (i32.const 15)
                )
                (if (result i32)
                 (i32.eqz
                  (call_ref
                   (ref.func $hashMemory)
                  )
                 )
                 (block $label$27 (result i32)
                  (memory.copy
                   (i32.and
                    (global.get $global$_1)
                    (i32.const 15)
                   )
                   (i32.and
                    (i31.get_s
                     (i31.new
                      (i32.const -255)
                     )
                    )
                    (i32.const 15)
                   )
                   (i8x16.extract_lane_u 10
                    (tuple.extract 1
                     (tuple.make
                      (struct.new_default ${})
                      (v128.const i32x4 0xce49ffe1 0xfff1ff8d 0x80007fff 0x43448b22)
                     )
                    )
                   )
                  )
                  (ref.is_null
                   (ref.func $hashMemory)
                  )
                 )
                 (block $label$28 (result i32)
                  (if
                   (loop $label$29 (result i32)
                    (block
                     (if
                      (i32.eqz
                       (global.get $hangLimit)
                      )
                      (return
                       (i32.const -28382)
                      )
                     )
                     (global.set $hangLimit
                      (i32.sub
                       (global.get $hangLimit)
                       (i32.const 1)
                      )
                     )
                    )
                    (block (result i32)
                     (block $label$30
                      (if
                       (i32.const 131071)
                       (block $label$31
                        (if
                         (i32.eqz
                          (i32.extend8_s
                           (i32.const 8388608)
                          )
                         )
                         (nop)
                         (data.drop 2)
                        )
                        (nop)
                       )
                       (block $label$32
                        (loop $label$33
                         (block
                          (if
                           (i32.eqz
                            (global.get $hangLimit)
                           )
                           (return
                            (i32.const -32767)
                           )
                          )
                          (global.set $hangLimit
                           (i32.sub
                            (global.get $hangLimit)
                            (i32.const 1)
                           )
                          )
                         )
                         (block
                          (nop)
                          (br_if $label$33
                           (i32.const -956)
                          )
                          (br_if $label$12
                           (i32.eqz
                            (i32.const 242)
                           )
                          )
                         )
                        )
                        (nop)
                       )
                      )
                      (drop
                       (select (result i31ref)
                        (i31.new
                         (i32.const 65417)
                        )
                        (i31.new
                         (i32.const 12125)
                        )
                        (i32.const -56)
                       )
                      )
                     )
                     (br_if $label$29
                      (i32.ne
                       (i32.const -1)
                       (br_if $label$28
                        (i32.const 255)
                        (i32.const -697032900)
                       )
                      )
                     )
                     (i32.const -114)
                    )
                   )
                   (block $label$34
                    (nop)
                    (br_if $label$7
                     (i32.trunc_f32_u
                      (loop $label$35 (result f32)
                       (block
                        (if
                         (i32.eqz
                          (global.get $hangLimit)
                         )
                         (return
                          (i32.const 127)
                         )
                        )
                        (global.set $hangLimit
                         (i32.sub
                          (global.get $hangLimit)
                          (i32.const 1)
                         )
                        )
                       )
                       (block (result f32)
                        (loop $label$36
                         (block
                          (if
                           (i32.eqz
                            (global.get $hangLimit)
                           )
                           (return
                            (i32.const 511)
                           )
                          )
                          (global.set $hangLimit
                           (i32.sub
                            (global.get $hangLimit)
                            (i32.const 1)
                           )
                          )
                         )
                         (block
                          (nop)
                          (br_if $label$36
                           (i32.eqz
                            (i32.const -1)
                           )
                          )
                          (nop)
                         )
                        )
                        (br_if $label$35
                         (i32.eqz
                          (i32.const 262144)
                         )
                        )
                        (f32.const -nan:0x7fff86)
                       )
                      )
                     )
                    )
                   )
                   (block $label$37
                    (nop)
                    (br_if $label$6
                     (i32.eqz
                      (i31.get_u
                       (i31.new
                        (i32.const -65535)
                       )
                      )
                     )
                    )
                   )
                  )
                  (br $label$10)
                 )
                )
               )
              )
              (memory.init 2
               (i32.and
                (i32.atomic.load offset=22
                 (i32.and
                  (i32.atomic.load offset=22
                   (i32.and
                    (i32.const -107)
                    (i32.const 15)
                   )
                  )
                  (i32.const 15)
                 )
                )
                (i32.const 15)
               )
               (i32.const 1)
               (i32.const 2)
              )
             )
            )
           )
           (global.set $global$_6
            (global.get $global$_0)
           )
          )
         )
        )
       )
       (br_if $label$6
        (i32.eqz
         (i31.get_u
          (i31.new
           (i32.const -100)
          )
         )
        )
       )
       (i32.const -3000)
      )
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (i32.load8_s offset=3
        (i32.and
         (global.get $global$_1)
         (i32.const 15)
        )
       )
       (i32.const 5)
      )
      (local.get $0)
     )
     (i32.load8_u offset=5
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.const -95)
      (local.get $0)
     )
     (i32.load8_u offset=6
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (call_ref
      (ref.func $hashMemory)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (i32.load8_u offset=8
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i31.get_u
     (i31.new
      (i32.const -97)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (i32.load8_u offset=10
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.const -103)
     (i32.load8_u offset=11
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.const -127)
      (local.get $0)
     )
     (i32.load8_u offset=12
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.load offset=22 align=2
       (i32.and
        (i32.clz
         (i32.lt_s
          (i32.const -2147483647)
          (i31.get_u
           (i31.new
            (i32.const -1483503)
           )
          )
         )
        )
        (i32.const 15)
       )
      )
      (local.get $0)
     )
     (i32.load8_u offset=13
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const -2147483648)
      )
      (local.get $0)
     )
     (i32.load8_u offset=14
      (i32.const 0)
     )
    )
   )
   (local.set $0
    (i32.xor
     (i32.add
      (i32.shl
       (local.get $0)
       (i32.const 5)
      )
      (local.get $0)
     )
     (i32.load8_u offset=15
      (loop $label$38 (result i32)
       (block
        (if
         (i32.eqz
          (global.get $hangLimit)
         )
         (return
          (i32.const -14509)
         )
        )
        (global.set $hangLimit
         (i32.sub
          (global.get $hangLimit)
          (i32.const 1)
         )
        )
       )
       (block (result i32)
        (drop
         (i32.load offset=22
          (i32.and
           (f32.le
            (f32.load offset=2 align=1
             (i32.and
              (i32.const -20609)
              (i32.const 15)
             )
            )
            (loop $label$39
             (block
              (if
               (i32.eqz
                (global.get $hangLimit)
               )
               (return
                (i32.const -77)
               )
              )
              (global.set $hangLimit
               (i32.sub
                (global.get $hangLimit)
                (i32.const 1)
               )
              )
             )
             (block $label$40
              (nop)
              (br $label$39)
             )
            )
           )
           (i32.const 15)
          )
         )
        )
        (br_if $label$38
         (global.get $global$_1)
        )
        (i32.const 1)
       )
      )
     )
    )
   )
   (local.get $0)
  )
 )
 (func $func (param $0 (ref null i31)) (param $1 i64) (param $2 eqref) (param $3 i32) (result f32)
  (local $4 v128)
  (local $5 (ref null i31))
  (local $6 (i32 v128 funcref))
  (local $7 i32)
  (local $8 i64)
  (local $9 i64)
  (local $10 (i64 f32 v128 i32 funcref funcref))
  (local $11 f32)
  (local $12 i64)
  (local $13 i32)
  (local $14 v128)
  (local $15 f64)
  (local $16 i64)
  (local $17 funcref)
  (local $18 i32)
  (local $19 f32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (local.get $11)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (tuple.extract 1
   (loop $label$1 (result i64 f32 (ref $f64_=>_none))
    (block
     (if
      (i32.eqz
       (global.get $hangLimit)
      )
      (return
       (f32.const -nan:0x7fff89)
      )
     )
     (global.set $hangLimit
      (i32.sub
       (global.get $hangLimit)
       (i32.const 1)
      )
     )
    )
    (tuple.make
     (i64.const 65505)
     (f32.const 56)
     (ref.func $log-f64)
    )
   )
  )
 )
 (func $func_invoker
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return)
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block
   (drop
    (call $func
     (ref.null i31)
     (i64.const 1)
     (struct.new_default ${})
     (i32.const -16)
    )
   )
   (call $log-i32
    (call $hashMemory)
   )
   (drop
    (call $func
     (i31.new
      (i32.const 1)
     )
     (i64.const 9223372036854775807)
     (array.init_static $[i8])
     (i32.const 262144)
    )
   )
   (call $log-i32
    (call $hashMemory)
   )
  )
 )
 (func $func_0 (param $0 i32) (param $1 f32) (result f32)
  (local $2 i32)
  (local $3 v128)
  (local $4 f32)
  (local $5 f64)
  (local $6 (f32 f64))
  (local $7 f32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (local.get $1)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block $label$0
   (call $log-i64
    (i64.or
     (i64.const -94)
     (i64.and
      (i64.const -140737488355328)
      (i64.const -12939)
     )
    )
   )
   (return
    (f32.const -33554432)
   )
  )
 )
 (func $func_0_invoker
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return)
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block
   (drop
    (call $func_0
     (i32.const -127)
     (f32.const -nan:0x7fb060)
    )
   )
  )
 )
 (func $func_1 (result i32)
  (local $0 f64)
  (local $1 f32)
  (local $2 i64)
  (local $3 f32)
  (local $4 f64)
  (local $5 f64)
  (local $6 (i64 anyref))
  (local $7 i32)
  (local $8 eqref)
  (local $9 f32)
  (local $10 v128)
  (local $11 f64)
  (local $12 (v128 v128))
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (i32.const -7321805)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (return_call_ref
   (ref.func $hashMemory)
  )
 )
 (func $func_1_invoker
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return)
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block
   (drop
    (call $func_1)
   )
   (drop
    (call $func_1)
   )
   (drop
    (call $func_1)
   )
   (drop
    (call $func_1)
   )
  )
 )
 (func $func_2 (param $0 funcref) (param $1 f64) (param $2 f32) (param $3 f32) (param $4 (ref eq)) (param $5 (ref eq)) (param $6 i32) (param $7 anyref) (result i32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (local.get $6)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (i64.ne
   (i64.atomic.load16_u offset=3
    (i32.and
     (local.tee $6
      (f64.le
       (local.tee $1
        (global.get $global$_0)
       )
       (loop $label$0 (result f64)
        (block
         (if
          (i32.eqz
           (global.get $hangLimit)
          )
          (return
           (i32.const -17815)
          )
         )
         (global.set $hangLimit
          (i32.sub
           (global.get $hangLimit)
           (i32.const 1)
          )
         )
        )
        (select
         (block $label$1 (result f64)
          (br_if $label$0
           (i32.eqz
            (i32.atomic.load offset=22
             (i32.and
              (i32.shr_s
               (i32.atomic.load16_u offset=4
                (local.get $6)
               )
               (local.get $6)
              )
              (i32.const 15)
             )
            )
           )
          )
          (f64.const 2147483648)
         )
         (f64.load offset=22 align=4
          (i32.and
           (local.get $6)
           (i32.const 15)
          )
         )
         (global.get $global$_1)
        )
       )
      )
     )
     (i32.const 15)
    )
   )
   (i64.extend8_s
    (i64.const 215)
   )
  )
 )
 (func $func_3 (result i32)
  (local $0 f32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (i32.const -2147483646)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (i32.const -22)
 )
 (func $func_3_invoker
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return)
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block
   (drop
    (call $func_3)
   )
  )
 )
 (func $func_4 (param $0 i32) (param $1 v128) (param $2 f32) (param $3 (ref eq)) (result f64 i32)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (tuple.make
      (f64.const -nan:0xfffffffffc248)
      (i32.const 32768)
     )
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (tuple.make
   (f64.const -4294967177)
   (i32.const -32766)
  )
 )
 (func $func_5 (result v128)
  (block
   (if
    (i32.eqz
     (global.get $hangLimit)
    )
    (return
     (v128.const i32x4 0x31c119f6 0xffab335b 0x0146c645 0x00b63600)
    )
   )
   (global.set $hangLimit
    (i32.sub
     (global.get $hangLimit)
     (i32.const 1)
    )
   )
  )
  (block $label$0 (result v128)
   (call $log-v128
    (v128.const i32x4 0xffffffa0 0xd3000000 0x3e4fdf3b 0xffffff80)
   )
   (v128.const i32x4 0xffff0001 0xffbf0401 0x0001fffe 0x00000001)
  )
 )
 (func $hangLimitInitializer
  (global.set $hangLimit
   (i32.const 10)
  )
 )
)
