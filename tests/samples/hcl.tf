# What is run.
terraform {
  required_version = ">= 1.5"
}

variable "limit" {
  type    = number
  default = 16
}

locals {
  names = ["apple", "pear"]
  tags  = { open = true, rate = 0.5 }
  upper = [for name in local.names : upper(name) if name != ""]
}

resource "shop_item" "fruit" {
  for_each = toset(local.names)
  name     = "item-${each.key}"
  price    = var.limit > 10 ? var.limit * 2 : 1

  dynamic "tag" {
    for_each = local.tags
    content {
      key = tag.key
    }
  }

  text = <<EOT
two lines of ${var.limit}
EOT
}

output "all" {
  value = shop_item.fruit[*].name
}
