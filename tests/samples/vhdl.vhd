-- Counts what is sold.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity counter is
  generic (WIDTH : integer := 8);
  port (
    clk   : in  std_logic;
    reset : in  std_logic;
    price : in  unsigned(7 downto 0);
    total : out unsigned(7 downto 0)
  );
end entity counter;

architecture behaviour of counter is
  type state_type is (OPEN_STATE, PAID);
  signal state : state_type := OPEN_STATE;
  signal sum   : unsigned(7 downto 0) := (others => '0');
begin
  process (clk)
    variable count : integer := 0;
  begin
    if rising_edge(clk) then
      if reset = '1' then
        sum <= x"00";
      elsif price < 16 and state = OPEN_STATE then
        sum <= sum + price;
      else
        for i in 0 to 3 loop
          count := count + i * 2;
        end loop;
      end if;
      case state is
        when OPEN_STATE => state <= PAID;
        when others => state <= OPEN_STATE;
      end case;
    end if;
  end process;
  total <= sum;
end architecture behaviour;
