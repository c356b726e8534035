"""Rules for shops."""

load("@rules//lib:paths.bzl", "paths")

_SUFFIXES = [".txt", ".csv"]

def _impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".out")
    inputs = [f for f in ctx.files.srcs if f.extension in _SUFFIXES]
    if not inputs:
        fail("no inputs for %s" % ctx.label)
    for f in inputs:
        print(f.path)
    ctx.actions.run(
        outputs = [out],
        inputs = inputs,
        executable = ctx.executable._tool,
        arguments = [f.path for f in inputs] + [str(0x10)],
    )
    return [DefaultInfo(files = depset([out]))]

shop = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "_tool": attr.label(executable = True, cfg = "exec"),  # the till
    },
)
