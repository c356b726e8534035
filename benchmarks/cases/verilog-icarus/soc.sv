// A small SoC: UART receiver and transmitter, timer, interrupt arbiter and a DMA channel table.
`timescale 1ns / 1ps

typedef enum logic [2:0] { IDLE, START, DATA, PARITY, STOP } uart_state_t;

typedef struct packed {
  logic        valid;
  logic        write;
  logic [3:0]  burst;
  logic [15:0] addr;
  logic [7:0]  data;
} request_t;

typedef struct packed {
  logic       enable;
  logic       irq_mask;
  logic [5:0] prio;
} channel_t;

module uart_rx #(
  parameter integer CLOCKS_PER_BIT = 16,
  parameter PARITY_EN = 0
) (
  input  wire       clk,
  input  wire       rst_n,
  input  wire       rx,
  output reg  [7:0] data,
  output reg        valid,
  output reg        frame_error
);
  uart_state_t state;
  reg [$clog2(CLOCKS_PER_BIT)-1:0] count;
  reg [2:0] bit_index;
  reg [1:0] sync;
  reg       par;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) sync <= 2'b11;
    else        sync <= {sync[0], rx};
  end

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state <= IDLE;
      count <= 0;
      bit_index <= 0;
      valid <= 1'b0;
      frame_error <= 1'b0;
      par <= 1'b0;
    end else begin
      valid <= 1'b0;
      case (state)
        IDLE: begin
          count <= 0;
          bit_index <= 0;
          par <= 1'b0;
          if (!sync[1]) state <= START;
        end
        START: begin
          if (count == CLOCKS_PER_BIT / 2) begin
            count <= 0;
            state <= sync[1] ? IDLE : DATA;
          end else count <= count + 1'b1;
        end
        DATA: begin
          if (count == CLOCKS_PER_BIT - 1) begin
            count <= 0;
            data <= {sync[1], data[7:1]};
            par <= par ^ sync[1];
            bit_index <= bit_index + 1'b1;
            if (bit_index == 3'd7) state <= PARITY_EN ? PARITY : STOP;
          end else count <= count + 1'b1;
        end
        PARITY: begin
          if (count == CLOCKS_PER_BIT - 1) begin
            count <= 0;
            frame_error <= par != sync[1];
            state <= STOP;
          end else count <= count + 1'b1;
        end
        default: begin
          if (count == CLOCKS_PER_BIT - 1) begin
            state <= IDLE;
            valid <= sync[1];
            frame_error <= frame_error | ~sync[1];
          end else count <= count + 1'b1;
        end
      endcase
    end
  end
endmodule

module uart_tx #(
  parameter integer CLOCKS_PER_BIT = 16
) (
  input  wire       clk,
  input  wire       rst_n,
  input  wire [7:0] data,
  input  wire       send,
  output wire       busy,
  output reg        tx
);
  reg [9:0] shift;
  reg [3:0] left;
  reg [$clog2(CLOCKS_PER_BIT)-1:0] count;

  assign busy = left != 0;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      tx <= 1'b1;
      left <= 0;
      count <= 0;
      shift <= 10'h3ff;
    end else if (!busy) begin
      tx <= 1'b1;
      if (send) begin
        shift <= {1'b1, data, 1'b0};
        left <= 4'd10;
        count <= 0;
      end
    end else if (count == CLOCKS_PER_BIT - 1) begin
      count <= 0;
      tx <= shift[0];
      shift <= {1'b1, shift[9:1]};
      left <= left - 1'b1;
    end else count <= count + 1'b1;
  end
endmodule

module fifo #(
  parameter WIDTH = 8,
  parameter DEPTH = 16
) (
  input  wire             clk,
  input  wire             rst_n,
  input  wire [WIDTH-1:0] din,
  input  wire             push,
  input  wire             pop,
  output wire [WIDTH-1:0] dout,
  output wire             full,
  output wire             empty
);
  localparam AW = $clog2(DEPTH);
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  reg [AW:0] wr, rd;

  assign empty = wr == rd;
  assign full = (wr[AW] != rd[AW]) && (wr[AW-1:0] == rd[AW-1:0]);
  assign dout = mem[rd[AW-1:0]];

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      wr <= 0;
      rd <= 0;
    end else begin
      if (push && !full) begin
        mem[wr[AW-1:0]] <= din;
        wr <= wr + 1'b1;
      end
      if (pop && !empty) rd <= rd + 1'b1;
    end
  end
endmodule

module timer (
  input  wire        clk,
  input  wire        rst_n,
  input  wire        load,
  input  wire [15:0] period,
  input  wire        auto_reload,
  output reg         tick
);
  reg [15:0] value;
  reg        running;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      value <= 16'd0;
      running <= 1'b0;
      tick <= 1'b0;
    end else begin
      tick <= 1'b0;
      if (load) begin
        value <= period;
        running <= period != 0;
      end else if (running) begin
        if (value == 16'd1) begin
          tick <= 1'b1;
          value <= period;
          running <= auto_reload;
        end else value <= value - 1'b1;
      end
    end
  end
endmodule

module arbiter #(
  parameter N = 4
) (
  input  wire         clk,
  input  wire         rst_n,
  input  wire [N-1:0] req,
  output reg  [N-1:0] grant
);
  reg [N-1:0] mask;
  wire [N-1:0] masked = req & mask;
  wire [N-1:0] pick = (masked != 0) ? masked & (~masked + 1'b1) : req & (~req + 1'b1);
  integer i;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      grant <= 0;
      mask <= {N{1'b1}};
    end else begin
      grant <= pick;
      if (pick != 0) begin
        for (i = 0; i < N; i = i + 1)
          mask[i] <= (pick >> (i + 1)) == 0 && !pick[i];
      end
    end
  end
endmodule

module dma_table #(
  parameter CHANNELS = 4
) (
  input  wire        clk,
  input  wire        rst_n,
  input  wire        we,
  input  wire [1:0]  sel,
  input  wire [7:0]  wdata,
  input  wire [15:0] src,
  output wire [CHANNELS-1:0] active,
  output wire        masked0,
  output reg  [28:0] bus
);
  channel_t table_q [0:CHANNELS-1];
  request_t req;
  genvar c;

  always @(posedge clk or negedge rst_n) begin : write_port
    integer k;
    if (!rst_n) begin
      for (k = 0; k < CHANNELS; k = k + 1) table_q[k] <= 8'h00;
    end else if (we) table_q[sel] <= wdata;
  end

  generate
    for (c = 0; c < CHANNELS; c = c + 1) begin : flags
      wire [7:0] raw;
      assign raw = table_q[c];
      assign active[c] = raw[7] & (raw[5:0] != 6'd0);
    end
  endgenerate

  assign masked0 = table_q[0].irq_mask;

  always @* begin
    req.valid = |active;
    req.write = we;
    req.burst = 4'd4;
    req.addr = src;
    req.data = wdata;
    bus = req;
  end
endmodule

module soc (
  input  wire       clk,
  input  wire       rst_n,
  input  wire       rx,
  output wire       tx,
  output wire [3:0] irq
);
  wire [7:0] rx_data, fifo_data;
  wire rx_valid, rx_error, full, empty, busy, tick, masked0;
  wire [3:0] active;
  wire [28:0] bus;
  reg [1:0] sel;

  uart_rx #(.CLOCKS_PER_BIT(8)) receiver (.clk(clk), .rst_n(rst_n), .rx(rx), .data(rx_data), .valid(rx_valid), .frame_error(rx_error));
  fifo #(.DEPTH(8)) queue (.clk(clk), .rst_n(rst_n), .din(rx_data), .push(rx_valid), .pop(!busy), .dout(fifo_data), .full(full), .empty(empty));
  uart_tx #(.CLOCKS_PER_BIT(8)) sender (.clk(clk), .rst_n(rst_n), .data(fifo_data), .send(!empty), .busy(busy), .tx(tx));
  timer heartbeat (.clk(clk), .rst_n(rst_n), .load(1'b0), .period(16'd1000), .auto_reload(1'b1), .tick(tick));
  dma_table channels (.clk(clk), .rst_n(rst_n), .we(rx_valid), .sel(sel), .wdata(rx_data), .src(16'h8000), .active(active), .masked0(masked0), .bus(bus));
  arbiter irqs (.clk(clk), .rst_n(rst_n), .req({tick & ~masked0, rx_error, full, |active}), .grant(irq));

  always @(posedge clk or negedge rst_n)
    if (!rst_n) sel <= 2'd0;
    else if (rx_valid) sel <= sel + 1'b1;
endmodule

module tb;
  reg clk = 1'b0, rst_n = 1'b0, rx = 1'b1;
  wire tx;
  wire [3:0] irq;
  soc dut (.clk(clk), .rst_n(rst_n), .rx(rx), .tx(tx), .irq(irq));

  always #5 clk = ~clk;

  task send(input [7:0] b);
    integer i;
    begin
      rx = 1'b0; #80;
      for (i = 0; i < 8; i = i + 1) begin
        rx = b[i]; #80;
      end
      rx = 1'b1; #80;
    end
  endtask

  initial begin
    #20 rst_n = 1'b1;
    #100 send(8'h81);
    send(8'hc3);
    send(8'h00);
    #2000 $display("irq %b tx %b", irq, tx);
    $finish;
  end
endmodule
