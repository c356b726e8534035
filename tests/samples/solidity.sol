// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Owned.sol";

interface IShop {
    function price(uint256 id) external view returns (uint256);
}

contract Shop is Owned, IShop {
    struct Item {
        string name;
        uint256 price;
    }

    event Sold(address indexed buyer, uint256 id);
    error TooLittle(uint256 given, uint256 wanted);

    mapping(uint256 => Item) private items;
    uint256 public count = 0x10;

    modifier exists(uint256 id) {
        require(id < count, "no such item");
        _;
    }

    constructor(string memory first) {
        items[0] = Item({name: first, price: 1 ether});
    }

    function price(uint256 id) external view override exists(id) returns (uint256) {
        return items[id].price * 2 + 1;
    }

    function buy(uint256 id) external payable exists(id) {
        if (msg.value < items[id].price) {
            revert TooLittle(msg.value, items[id].price);
        }
        for (uint256 i = 0; i < 3; i++) {
            count -= 1; // one less
        }
        emit Sold(msg.sender, id);
    }
}
