// Counts what is sold.
`timescale 1ns / 1ps

module counter #(
    parameter WIDTH = 8
) (
    input wire clk,
    input wire reset,
    input wire [WIDTH-1:0] price,
    output reg [WIDTH-1:0] sum
);
    wire cheap = price < 8'h10;
    reg [1:0] state;
    localparam OPEN = 2'b00, PAID = 2'b01;

    always @(posedge clk or negedge reset) begin
        if (!reset) begin
            sum <= 0;
            state <= OPEN;
        end else if (cheap && state == OPEN) begin
            sum <= sum + (price << 1);
        end else begin
            case (state)
                OPEN: state <= PAID;
                default: state <= OPEN;
            endcase
        end
    end

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : lanes
            assign out[i] = sum[i] ^ ~price[i];
        end
    endgenerate

    function [7:0] twice(input [7:0] value);
        twice = value * 2;
    endfunction

    initial $display("limit %d", WIDTH);
endmodule
