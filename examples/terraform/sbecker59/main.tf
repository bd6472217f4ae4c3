terraform {
  required_providers {
    statuspage = {
      source = "sbecker59/statuspage"
    }
  }
}

variable "page" {
  description = "The id of the page."
  type        = string
}

resource "statuspage_component" "checkout" {
  page_id     = var.page
  name        = "Checkout"
  description = "Carts and orders"
}

resource "statuspage_component" "invoices" {
  page_id = var.page
  name    = "Invoices"
}

resource "statuspage_component_group" "payments" {
  page_id     = var.page
  name        = "Payments"
  description = "Everything that takes money"
  components  = [statuspage_component.checkout.id, statuspage_component.invoices.id]
}

resource "statuspage_subscriber" "operations" {
  page_id  = var.page
  email    = "operations@example.com"
  endpoint = "https://hooks.example.com/status"
}
