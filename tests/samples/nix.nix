# What is built.
{ pkgs ? import <nixpkgs> { }, lib ? pkgs.lib, ... }@args:

let
  version = "1.${toString 2}";
  names = [ "apple" "pear" 3 0.5 ];
  price = item: item.price or 1;
  total = items: rate:
    if items == [ ] then
      throw "nothing"
    else
      lib.foldl' (sum: item: sum + price item * rate) 0 items;
in
with lib;
pkgs.stdenv.mkDerivation rec {
  pname = "shop";
  inherit version;
  inherit (pkgs) system;
  src = ./src;
  buildInputs = with pkgs; [ gcc cmake ] ++ optionals (args ? debug) [ gdb ];
  buildPhase = ''
    make -j4 ''${MAKEFLAGS}
    echo ${pname}
  '';
  passthru = { inherit names; sum = total [{ price = 2; }] 3; };
  meta.broken = assert true; !(version != "2") || false;
}
