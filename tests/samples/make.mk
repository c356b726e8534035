# What is built.
CC := gcc
CFLAGS ?= -O2 -Wall
SOURCES = $(wildcard src/*.c)
OBJECTS = $(SOURCES:.c=.o)
VERSION = $(shell git describe)

include config.mk

.PHONY: all clean

all: shop

ifeq ($(DEBUG),1)
CFLAGS += -g
else
CFLAGS += -DNDEBUG
endif

shop: $(OBJECTS) | build
	@echo "linking $@"
	$(CC) $(CFLAGS) -o $@ $^ \
	    -lm

%.o: %.c shop.h
	$(CC) $(CFLAGS) -c $< -o $@

define usage
make all
endef

clean:
	rm -rf build $(OBJECTS)
	-for i in 1 2; do echo $$i; done
