"""Class files to try things on, as texts; and Java's own tools, where they are."""

import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from wynot.formats.containers.container import Member, Packed
from wynot_binaries import JAVA_CLASS

OUT = '(getstatic "java/lang/System" "out" "Ljava/io/PrintStream;")'
PRINT = f'(invokevirtual "java/io/PrintStream" "println" "(I)V" {OUT}'
OBJECT_INIT = '(invokespecial "java/lang/Object" "<init>" "()V" (aload $0))'
SAMPLES = {
    "nothing": "(class)",
    "members": f"""
        (class "p/Case" public super (version 52) (extends "java/util/ArrayList")
          (implements "java/lang/Runnable") (implements "java/io/Serializable"))
        (source "Case.java") (signature "Ljava/util/ArrayList<Ljava/lang/String;>;")
        (field $f0 "count" "J" private static)
        (field "NAME" "Ljava/lang/String;" public static final (value (string "text\\c3\\a9")))
        (field $f2 "own" "[[D" transient (deprecated))
        (method $m0 "<init>" public (this $0) (param $1 "I")
          (code (invokespecial "java/util/ArrayList" "<init>" "(I)V" (aload $0) (iload $1))
            (putfield $f2 (aload $0) (multianewarray "[[D" 2 (int 3) (int 4)))))
        (method "run" public (this $0)
          (code (putstatic $f0 (lload $1)) {PRINT} (l2i (getstatic $f0)))
          (invokespecial $m0 (dup (new self)) (int 70000))) (throws "java/io/IOException"))
        (method "sum" public static (param $0 "J") (param "D") (param $3 "I") (result "J")
          (code (return (ladd (lload $0) (lshl (long 5) (iload $3))))))
        (method "far" public abstract)
        (method "near" native static (result "Ljava/lang/String;"))""",
    "control": """
        (class "Case" (version 61))
        (method "f" static (param $0 "I") (param $1 "Ljava/lang/Object;") (result "I")
          (code (istore $2 (int)) $l1 (if_icmpge $l2 (iload $2) (iload $0)) (iinc $2 1)
            (ifnull $l1 (aload $1)) (switch $l1 (case 1 $l3) (case 2 $l4) (iload $2))
            $l3 (push (int 7)) (goto $l5) $l4 (push (iload $2)) $l5 (istore $2) (goto $l1)
            $l2 (return (ineg (iload $2)))))
        (method "g" static (result "I")
          (code $a (astore $0 (string "x")) (at $b) (return (int 1)) $c (astore $1) (return (int 2))
            (try $a $b $c "java/lang/RuntimeException")))
        (method "far" static (param $0 "I")
          (code (switch $d (case -5 $c) (case 70000 $b) (iload $0)) $b (nop) $c (nop) $d))
        (lines $m (5 $a))""",
    "stack": f"""
        (class "Case" (version 50)) (field $f "a" "I") (field $g "b" "J")
        (method "f" (this $0) (result "J")
          (code (istore $1 (putfield $f (dup_x1 (aload $0) (int 4))))
            (lstore $2 (putfield $g (dup_x1 (aload $0) (long 4))))
            (iastore (iadd (iaload (dup2 (newarray int (int 9)) (int 1))) (int 2)))
            (pop2 (iload $1) (fconst)) (swap (iload $1) (float 2.5)) {PRINT} (iload $1))
            (return (lload $2))))""",
    "calls": """
        (class "Case" (version 55)) (nest-member "Case$In") (inner "Case$In" self "In" static)
        (method $m "own" static (param $0 "I") (result "I") (code (return (iload $0))))
        (method "f" static (result "Ljava/lang/Object;")
          (code (return (invokedynamic "apply" "()Ljava/util/function/Function;"
            (by (handle invokestatic "p/Boot" "boot" "()Ljava/lang/Object;") (string "s") (int 3)
              (methodtype "(I)V") (handle invokestatic $m) (type self) (double 2.5)
              (dynamic "d" "I" (by (handle getstatic "p/Q" "q" "I"))))))))
        (method "g" static (result "Ljava/lang/invoke/MethodHandle;")
          (code (return (handle newinvokespecial "p/X" "<init>" "()V"))))""",
    "annotations": """
        (class "Case" public interface abstract (version 61)) (permits "X") (deprecated)
        (component "left" "I" (signature "TT;") (annotation "LX;"))
        (annotation "LA;" (= "b" (B 1)) (= "c" (array (C 65) (S 2) (Z 1) (J 5) (F 1.5) (D 2.5)))
          (= "e" (enum "LE;" "ONE")) (= "k" (class "V"))
          (= "n" (annotation "LB;" (= "s" (text "t")))))
        (annotation invisible "LC;") (enclosing "Out" "m" "()V") (attribute "Own" "\\00\\01z")
        (method "f" public abstract (parameter "a" final) (default (I 5)) (ontype "\\14\\00" "LT;")
          (parameters (of (annotation "LP;")) (of)))""",
    "a record of nothing": '(class "Case" final (extends "java/lang/Record")) (record)',
    "flat": """
        (class "Case" (version 61))
        (method "bad" static (result "I") (flat 1 4 (iconst) $l0 (int 5) (areturn) (goto $l0)
          $l1 (frame $l1 (locals I J "X" top null) (stack (new $l0))) (iload $3) (jsr $l1) (ret $2)
          (try $l0 $l1 $l1 "X")))""",
}  # fmt: skip


def class_of_texts(*texts: str) -> bytes:
    """Return the class that some texts are."""
    members = [Member("", b"", text.encode()) for text in texts]
    return JAVA_CLASS.pack(Packed(tuple(members)))


def class_texts(content: bytes) -> dict[str, str]:
    """Return the texts of a class by their names, each on one line."""
    packed = JAVA_CLASS.read(content)
    return {each.name: " ".join(each.content.decode().split()) for each in packed.members}


def method_text(content: bytes) -> str:
    """Return the text of the only method of a class."""
    (text,) = (text for name, text in class_texts(content).items() if name.startswith("method"))
    return text


HAS_JAVA = all(shutil.which(program) for program in ("java", "javac", "javap"))
JAVA_SOURCE = """
import java.util.*;
public class Sample implements Comparable<Sample> {
  static final String NAME = "sample\\u00e9"; private long total; int[] data = {1, 2, 3};
  enum Color { RED, GREEN } record Point(int x, double y) {}
  interface Shape { default int area() { return 3; } static int none() { return 0; } }
  @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
  @interface Note { String value() default "n"; }
  Sample(long t) { this.total = t; }
  class Inner { long get() { return total++; } }
  public int compareTo(Sample o) { return Long.compare(total, o.total); }
  static int chosen(String s, int k) {
    switch (s) { case "a": return 1; case "bb": return 2; default: }
    switch (k) { case 1: return 10; case 2: return 20; case 3: k++; case 1000: return k; }
    return k > 0 ? s.length() : -k;
  }
  @Note("x") @Deprecated String run(List<? extends Number> xs, Object o) throws Exception {
    StringBuilder sb = new StringBuilder("x");
    for (Number n : xs) { total += n.longValue(); sb.append(n).append(total > 5L ? "big" : o); }
    try { data[1]++; if (o instanceof String s && s.isEmpty()) throw new IllegalStateException(s); }
    catch (IllegalStateException | ArrayIndexOutOfBoundsException e) { sb.append(e.getMessage()); }
    finally { synchronized (this) { total--; } }
    Runnable r = () -> System.out.println(sb + " " + total + data.length);
    r.run();
    long[][] m = new long[3][4]; m[1][2] = 5 + (long) 2.5f;
    int q = switch (Color.RED) { case RED -> 1; case GREEN -> { int z = 3; yield z * 2; } };
    char ch = 'x'; ch += 2; boolean b = total > 3 && q < 7 || ch == 'y';
    do { m[1][2] /= 2; if (m[1][2] == 1) continue; } while (m[1][2] > 0);
    return new String(sb.toString() + b + m[1][2]++ + new Inner().get() + Shape.none());
  }
  public static void main(String[] a) throws Exception {
    System.out.println(new Sample(3).run(List.of(1, 2.5, 3L), "o"));
    System.out.println(chosen("bb", 3) + chosen("q", 1000) + NAME + new Point(1, 2.5));
  }
}
"""


@lru_cache(maxsize=1)
def compiled_classes() -> dict[str, bytes]:
    """Return what javac makes of a source, by the names of files."""
    with TemporaryDirectory() as name:
        path = Path(name) / "Sample.java"
        path.write_text(JAVA_SOURCE)
        command = ["javac", "-g", "-d", name, str(path)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own source
        return {each.name: each.read_bytes() for each in Path(name).glob("*.class")}


def shown_by_javap(contents: Sequence[bytes], folder: Path) -> list[str]:
    """Return what javap has against some classes; empty, if it can read them."""
    paths = [folder / f"{number}.class" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    command = ["javap", "-v", "-p", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if line.startswith(("Error", "Exception")) or "???" in line]
