package shop

import kotlin.math.max

/** What is sold. */
sealed interface Item {
    val price: Double
}

data class Fruit(val name: String, override val price: Double = 0.5) : Item

object Nothing : Item {
    override val price get() = 0.0
}

enum class State { OPEN, PAID }

class Order<T : Item>(private val items: List<T>) {
    val total: Double by lazy { items.sumOf { it.price } }

    fun cheap(limit: Double): List<T> = items.filter { item -> item.price < limit }

    fun describe(item: Item?): String = when (item) {
        is Fruit -> "${item.name} costs ${item.price * 2}"
        null -> """nothing
            at all"""
        else -> throw IllegalStateException("what?")
    }
}

fun main(args: Array<String>) {
    val order = Order(listOf(Fruit("apple"), Fruit("pear", 2.0)))
    var count = 0x10
    for (i in 0..3) {
        count += if (i % 2 == 0) max(i, 1) else -1
    }
    while (count > 10) count-- // down
    try {
        println(order.describe(order.cheap(1.5).firstOrNull()))
    } catch (e: Exception) {
        println('x')
    }
}
