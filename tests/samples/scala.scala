package shop

import scala.collection.mutable.{ListBuffer, Map as MutableMap}

/** What is sold. */
sealed trait Item:
  def price: Double

case class Fruit(name: String, price: Double = 0.5) extends Item
case object Nothing extends Item { val price = 0.0 }

class Order[T <: Item](private val items: List[T]) {
  lazy val total: Double = items.map(_.price).sum

  def cheap(limit: Double)(implicit order: Ordering[Double]): List[T] =
    items.filter(item => order.lt(item.price, limit))

  def describe(item: Item): String = item match {
    case Fruit(name, p) if p > 1.5 => s"dear $name: ${p * 2}"
    case Fruit(name, _) => "cheap " + name
    case _ => """nothing
                |at all""".stripMargin
  }
}

object Main {
  def main(args: Array[String]): Unit = {
    val order = new Order(List(Fruit("apple"), Fruit("pear", 2)))
    var seen = MutableMap.empty[String, Int]
    for (i <- 1 to 3; item <- order.cheap(0x10) if i > 1) {
      seen(item.name) = i
    }
    while (seen.size > 1) { seen.clear() } // start again
    try println(order.total) catch { case e: Exception => throw e }
    if (args.isEmpty) println('x') else println(seen)
  }
}
