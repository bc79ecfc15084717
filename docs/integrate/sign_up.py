from affiliate_programme_client import AffiliateError


def report_sign_up(client, user):
    """On your server, when somebody signs up: from then on their sales need no more than `customer_id`. The
    same sign-up again changes nothing."""
    try:
        customer = client.customers.sign_up(
            customer_id=user["id"],
            click_id=user["click_id"],
            promo_code=user["promo_code"],
        )
    except AffiliateError as error:
        # Nobody sent this user.
        if error.code == "NO_ATTRIBUTION_SIGNAL":
            return None
        raise
    return customer if customer.attributed else None
