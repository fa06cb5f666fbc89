"""What a visitor's report with a cart holds, for the benchmarks."""

CART = {
    "type": "cart", "total": 99.5, "currency": "EUR", "numItems": 20,
    "products": [{"product": {"name": f"Shoe {number}", "category": "shoes", "sku": f"s-{number}", "price": 4.5}, "quantity": 1} for number in range(20)],
}
