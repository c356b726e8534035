#!/bin/bash
# interesting: Icarus fails an assertion of its own in elab_expr.cc on SystemVerilog that Verilator's lint accepts
export LC_ALL=C
[ -s soc.sv ] || exit 1
out=$(timeout 10 "${IVERILOG:-iverilog}" -g2012 -t null soc.sv 2>&1 < /dev/null)
[[ $out == *"assert: elab_expr.cc:"*"failed assertion base_index.size()+1 == net->packed_dimensions()"* ]] || exit 1
timeout 20 "${VERILATOR:-verilator}" --lint-only -sv --timing -Wno-fatal soc.sv > /dev/null 2>&1
