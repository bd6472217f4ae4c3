terraform {
  required_providers {
    statuspage = {
      source = "winebarrel/statuspage"
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

resource "statuspage_component_group" "payments" {
  page_id    = var.page
  name       = "Payments"
  components = [statuspage_component.checkout.id]
}

resource "statuspage_metrics_provider" "self" {
  page_id = var.page
  type    = "Self"
}

resource "statuspage_metric" "response_time" {
  page_id             = var.page
  metrics_provider_id = statuspage_metrics_provider.self.id
  name                = "Response time"
  suffix              = "ms"
  display             = true
}

resource "statuspage_incident_template" "outage" {
  page_id       = var.page
  name          = "Outage"
  title         = "Checkout is down"
  body          = "We are looking into it."
  update_status = "investigating"
  component_ids = [statuspage_component.checkout.id]
}
