from affiliate_programme_client import AffiliateError


def report_sale(client, order):
    """On your server, once a payment is certain, whoever bills it. The same order again changes nothing, so
    call it as often as you like; when it raises, call it again later."""
    try:
        return client.conversions.report(
            external_transaction_id=order["id"],
            event_type="purchase",
            click_id=order["click_id"],
            promo_code=order["promo_code"],
            amount_cents=order["amount_cents"],
            currency=order["currency"],
            customer_id=order["customer_id"],
        )
    except AffiliateError as error:
        # Nobody sent this buyer, or the order was reported before.
        if error.code in ("NO_ATTRIBUTION_SIGNAL", "CONVERSION_DUPLICATE"):
            return None
        raise
