--  What is sold.
with Ada.Text_IO; use Ada.Text_IO;

procedure Shop is
   Limit : constant Integer := 16#10#;
   type State is (Open, Paid);
   type Item is record
      Name  : String (1 .. 5);
      Price : Float := 0.5;
   end record;
   type Items is array (Positive range <>) of Item;
   Empty : exception;

   function Total (Sold : Items; Rate : Float := 1.5) return Float is
      Sum : Float := 0.0;
   begin
      if Sold'Length = 0 then
         raise Empty;
      elsif Sold'Length > Limit then
         return -1.0;
      else
         for I in Sold'Range loop
            Sum := Sum + Sold (I).Price * Rate;
         end loop;
      end if;
      while Sum > 10.0 loop
         Sum := Sum / 2.0;
      end loop;
      return Sum;
   end Total;

   Now : State := Open;
begin
   case Now is
      when Open => Now := Paid;
      when others => null;
   end case;
   Put_Line ("costs" & Float'Image (Total ((1 => ("apple", 0.5)))));
exception
   when Empty => Put_Line ("nothing" & 'x');
end Shop;
