# frozen_string_literal: true

require 'json'

module Shop
  LIMIT = 0x10

  class Item
    attr_reader :name, :price

    def initialize(name, price = 0.5)
      @name = name
      @price = price
    end

    def cheap?
      @price < 1.5
    end
  end

  class Order
    include Enumerable

    def each(&block)
      @items.each(&block)
    end

    def total(items, rate: 1, **options)
      sum = 0
      items.each_with_index do |item, i|
        next if i > LIMIT && !options.empty?
        sum += item.price * rate
      end
      puts "costs #{sum * 2} for #{items.map { |item| item.name }.join(', ')}"
      case sum
      when 0 then nil
      when 1..5 then :few
      else %w[many more]
      end
    rescue ArgumentError => e
      warn e.message
    ensure
      @done = true
    end
  end
end

text = <<~TEXT
  two lines,
  of #{Shop::LIMIT}
TEXT
count = 3
count -= 1 while count > 1
puts text =~ /t\w+/ ? 'yes' : 'no' unless count.zero?
