; ModuleID = 'shop.c'
source_filename = "shop.c"
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.item = type { i8*, double, [4 x i32] }
@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1
@table = global [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* null]

declare i32 @printf(i8* nocapture readonly, ...) #1

define dso_local i32 @twice(i32 %n) local_unnamed_addr #0 {
  %1 = shl nsw i32 %n, 1
  ret i32 %1
}

define i32 @main(i32 %argc, i8** %argv) #0 !dbg !5 {
entry:
  %cmp = icmp sgt i32 %argc, 1
  br i1 %cmp, label %then, label %else

then:                                             ; preds = %entry
  %call = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str, i64 0, i64 0), i32 %argc)
  switch i32 %call, label %done [
    i32 0, label %else
    i32 1, label %done
  ]

else:
  %f = fadd double 1.500000e+00, 0x3FF0000000000000
  br label %done

done:
  %phi = phi i32 [ 0, %then ], [ %call, %else ]
  ret i32 %phi
}

attributes #0 = { nounwind "frame-pointer"="all" }
!5 = distinct !DISubprogram(name: "main", line: 3)
