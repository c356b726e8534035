-- A pedestrian crossing: button debounce, lamp controller, countdown, PWM dimmer and an SPI status port.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package crossing_pkg is
  type lamp_state is (all_red, cars_red_amber, cars_green, cars_amber, walk_wait, walk_green, walk_flash);
  type lamps is record
    red   : std_logic;
    amber : std_logic;
    green : std_logic;
  end record;
  type time_table is array (lamp_state) of natural;
  type byte_array is array (natural range <>) of std_logic_vector(7 downto 0);

  constant lamps_off : lamps := (red => '0', amber => '0', green => '0');
  constant seconds : time_table := (
    all_red        => 2,
    cars_red_amber => 1,
    cars_green     => 20,
    cars_amber     => 3,
    walk_wait      => 1,
    walk_green     => 10,
    walk_flash     => 5);

  function to_slv(l : lamps) return std_logic_vector;
  function parity(v : std_logic_vector) return std_logic;
  function log2(n : positive) return natural;
end package;

package body crossing_pkg is
  function to_slv(l : lamps) return std_logic_vector is
  begin
    return l.red & l.amber & l.green;
  end function;

  function parity(v : std_logic_vector) return std_logic is
    variable p : std_logic := '0';
  begin
    for i in v'range loop
      p := p xor v(i);
    end loop;
    return p;
  end function;

  function log2(n : positive) return natural is
    variable r : natural := 0;
    variable m : natural := n - 1;
  begin
    while m > 0 loop
      r := r + 1;
      m := m / 2;
    end loop;
    return r;
  end function;
end package body;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity debounce is
  generic (width : positive := 8);
  port (
    clk    : in  std_logic;
    reset  : in  std_logic;
    raw    : in  std_logic;
    clean  : out std_logic;
    rising : out std_logic);
end entity;

architecture rtl of debounce is
  signal sync  : std_logic_vector(1 downto 0);
  signal count : unsigned(width - 1 downto 0);
  signal level : std_logic;
begin
  process (clk)
  begin
    if rising_edge(clk) then
      rising <= '0';
      sync <= sync(0) & raw;
      if reset = '1' then
        count <= (others => '0');
        level <= '0';
      elsif sync(1) = level then
        count <= (others => '0');
      elsif count = 2**width - 1 then
        level <= sync(1);
        rising <= sync(1);
        count <= (others => '0');
      else
        count <= count + 1;
      end if;
    end if;
  end process;
  clean <= level;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.crossing_pkg.all;

entity prescaler is
  generic (ratio : positive := 1000);
  port (
    clk   : in  std_logic;
    reset : in  std_logic;
    tick  : out std_logic);
end entity;

architecture rtl of prescaler is
  signal count : unsigned(log2(ratio) - 1 downto 0);
begin
  process (clk)
  begin
    if rising_edge(clk) then
      tick <= '0';
      if reset = '1' then
        count <= (others => '0');
      elsif count = ratio - 1 then
        count <= (others => '0');
        tick <= '1';
      else
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity dimmer is
  port (
    clk   : in  std_logic;
    level : in  unsigned(3 downto 0);
    input : in  std_logic_vector(2 downto 0);
    lamp  : out std_logic_vector(2 downto 0));
end entity;

architecture rtl of dimmer is
  signal phase : unsigned(3 downto 0) := (others => '0');
begin
  process (clk)
  begin
    if rising_edge(clk) then
      phase <= phase + 1;
      lamp <= (others => '0');
      if phase <= level then
        lamp <= input;
      end if;
    end if;
  end process;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.crossing_pkg.all;

entity controller is
  port (
    clk      : in  std_logic;
    reset    : in  std_logic;
    tick     : in  std_logic;
    request  : in  std_logic;
    cars     : out lamps;
    walk     : out lamps;
    remain   : out unsigned(4 downto 0);
    code     : out std_logic_vector(2 downto 0));
end entity;

architecture rtl of controller is
  signal state   : lamp_state;
  signal left    : unsigned(4 downto 0);
  signal pending : std_logic;
  signal blink   : std_logic;
begin
  process (clk)
    variable following : lamp_state;
  begin
    if rising_edge(clk) then
      if reset = '1' then
        state <= all_red;
        left <= to_unsigned(seconds(all_red), 5);
        pending <= '0';
        blink <= '0';
      else
        if request = '1' then
          pending <= '1';
        end if;
        if tick = '1' then
          blink <= not blink;
          if left /= 0 then
            left <= left - 1;
          elsif state = cars_green and pending = '0' then
            null;
          else
            if state = walk_flash then
              following := all_red;
              pending <= '0';
            else
              following := lamp_state'succ(state);
            end if;
            state <= following;
            case following is
              when cars_green => left <= to_unsigned(seconds(cars_green), 5);
              when walk_green => left <= to_unsigned(seconds(walk_green), 5);
              when walk_flash => left <= to_unsigned(seconds(walk_flash), 5);
              when cars_amber => left <= to_unsigned(seconds(cars_amber), 5);
              when others     => left <= to_unsigned(seconds(all_red), 5);
            end case;
          end if;
        end if;
      end if;
    end if;
  end process;

  process (all)
  begin
    cars <= lamps_off;
    walk <= lamps_off;
    case state is
      when cars_red_amber =>
        cars <= (red => '1', amber => '1', green => '0');
        walk.red <= '1';
      when cars_green =>
        cars.green <= '1';
        walk.red <= '1';
      when cars_amber =>
        cars.amber <= '1';
        walk.red <= '1';
      when walk_green =>
        cars.red <= '1';
        walk.green <= '1';
      when walk_flash =>
        cars.red <= '1';
        walk.green <= blink;
      when others =>
        cars.red <= '1';
        walk.red <= '1';
    end case;
  end process;

  remain <= left;
  with state select code <=
    "000" when all_red,
    "001" when cars_red_amber,
    "010" when cars_green,
    "011" when cars_amber,
    "100" when walk_wait,
    "101" when walk_green,
    "110" when walk_flash;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.crossing_pkg.all;

entity spi_status is
  port (
    clk    : in  std_logic;
    sck    : in  std_logic;
    cs_n   : in  std_logic;
    miso   : out std_logic;
    status : in  byte_array(0 to 1));
end entity;

architecture rtl of spi_status is
  signal sck_q : std_logic;
  signal shift : std_logic_vector(16 downto 0);
begin
  process (clk)
  begin
    if rising_edge(clk) then
      sck_q <= sck;
      if cs_n = '1' then
        shift <= status(0) & status(1) & parity(status(0) & status(1));
      elsif sck = '1' and sck_q = '0' then
        shift <= shift(15 downto 0) & '0';
      end if;
    end if;
  end process;
  miso <= shift(16);
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.crossing_pkg.all;

entity crossing is
  port (
    clk    : in  std_logic;
    reset  : in  std_logic;
    button : in  std_logic;
    night  : in  std_logic;
    sck    : in  std_logic;
    cs_n   : in  std_logic;
    miso   : out std_logic;
    cars   : out std_logic_vector(2 downto 0);
    walk   : out std_logic_vector(2 downto 0));
end entity;

architecture rtl of crossing is
  signal tick, request, clean : std_logic;
  signal car_lamps, walk_lamps : lamps;
  signal remain : unsigned(4 downto 0);
  signal code : std_logic_vector(2 downto 0);
  signal level : unsigned(3 downto 0);
  signal status : byte_array(0 to 1);
begin
  level <= x"3" when night = '1' else x"F";
  status(0) <= code & std_logic_vector(remain);
  status(1) <= to_slv(car_lamps) & to_slv(walk_lamps) & clean & night;

  u_button : entity work.debounce generic map (width => 4) port map (clk, reset, button, clean, request);
  u_tick : entity work.prescaler generic map (ratio => 50) port map (clk => clk, reset => reset, tick => tick);
  u_control : entity work.controller port map (
    clk => clk, reset => reset, tick => tick, request => request,
    cars => car_lamps, walk => walk_lamps, remain => remain, code => code);
  u_cars : entity work.dimmer port map (clk, level, to_slv(car_lamps), cars);
  u_walk : entity work.dimmer port map (clk, level, to_slv(walk_lamps), walk);
  u_spi : entity work.spi_status port map (clk => clk, sck => sck, cs_n => cs_n, miso => miso, status => status);
end architecture;
