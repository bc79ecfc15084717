# Written by `npm run openapi` from the OpenAPI document. Do not edit.
from __future__ import annotations

from typing import Any, List, Literal, Mapping, Union

from ..calls import NOT_GIVEN, CallOptions, NotGiven, Operation, Resource, Send
from ..pages import Paged
from . import models

class Analytics(Resource):
    def get_metrics(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.MetricsDto:
        """Revenue, clicks and conversions beside the period before."""
        return self._call(
            Operation("analytics.get_metrics", "GET", "/api/v1/analytics/metrics", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id},
            options,
        )

    def get_trend(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        granularity: Literal["day", "week"],
        metric: Literal["conversions", "clicks", "revenue"],
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.TrendDto:
        """One figure by local day or ISO week."""
        return self._call(
            Operation("analytics.get_trend", "GET", "/api/v1/analytics/trend", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "granularity": granularity, "metric": metric, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id},
            options,
        )

    def get_fraud_summary(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.FraudSummaryDto:
        """Count what the fraud rules found."""
        return self._call(
            Operation("analytics.get_fraud_summary", "GET", "/api/v1/analytics/fraud-summary", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id},
            options,
        )

    def list_top_partners(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PartnerPageDto:
        """The ten partners with most revenue."""
        return self._call(
            Operation("analytics.list_top_partners", "GET", "/api/v1/analytics/top-partners", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id},
            options,
        )

    def list_partner_performance(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        fraud_only: bool | NotGiven = NOT_GIVEN,
        sort: Literal["attributedRevenue", "conversions", "clicks", "conversionRate", "fraudFlagCount"] | NotGiven = NOT_GIVEN,
        order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        page_size: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PartnerFiguresDto]:
        """Performance of partners."""
        return self._list(
            Operation("analytics.list_partner_performance", "GET", "/api/v1/analytics/partners", answers=("application/json",), size="pageSize"),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id, "search": search, "fraudOnly": fraud_only, "sort": sort, "order": order, "page": page, "pageSize": page_size},
            options,
        )

    def export_partner_performance(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        program_id: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        fraud_only: bool | NotGiven = NOT_GIVEN,
        sort: Literal["attributedRevenue", "conversions", "clicks", "conversionRate", "fraudFlagCount"] | NotGiven = NOT_GIVEN,
        order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> str:
        """Export the performance of partners as CSV."""
        return self._call(
            Operation("analytics.export_partner_performance", "GET", "/api/v1/analytics/partners/export", answers=("text/csv",)),
            {"from": from_, "to": to, "tz": tz, "programId": program_id, "linkId": link_id, "promoCode": promo_code, "currency": currency, "groupId": group_id, "participantId": participant_id, "search": search, "fraudOnly": fraud_only, "sort": sort, "order": order},
            options,
        )


class ApiKeys(Resource):
    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        mode: Literal["test", "live"] | NotGiven = NOT_GIVEN,
        revoked: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ApiKeyDto]:
        """List the API keys."""
        return self._list(
            Operation("api_keys.list", "GET", "/api/v1/workspace/api-keys", answers=("application/json",)),
            {"page": page, "limit": limit, "mode": mode, "revoked": revoked},
            options,
        )

    def create(
        self,
        *,
        kind: Literal["public", "secret", "management"],
        mode: Literal["test", "live"],
        name: str | None | NotGiven = NOT_GIVEN,
        role: Literal["viewer", "member", "admin"] | NotGiven = NOT_GIVEN,
        program_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ApiKeyDto:
        """Create an API key."""
        return self._call(
            Operation("api_keys.create", "POST", "/api/v1/workspace/api-keys", query=(), needs_body=True, answers=("application/json",)),
            {"kind": kind, "mode": mode, "name": name, "role": role, "programId": program_id},
            options,
        )

    def get(
        self,
        *,
        api_key_id: str,
        options: CallOptions | None = None,
    ) -> models.ApiKeyDto:
        """Read an API key."""
        return self._call(
            Operation("api_keys.get", "GET", "/api/v1/workspace/api-keys/{apiKeyId}", answers=("application/json",)),
            {"apiKeyId": api_key_id},
            options,
        )

    def revoke(
        self,
        *,
        api_key_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke an API key."""
        return self._call(
            Operation("api_keys.revoke", "POST", "/api/v1/workspace/api-keys/{apiKeyId}/revoke", query=(), answers=()),
            {"apiKeyId": api_key_id},
            options,
        )


class Attribution(Resource):
    def list_decisions(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        external_transaction_id: str | NotGiven = NOT_GIVEN,
        attributed: bool | NotGiven = NOT_GIVEN,
        event_type: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        click_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.DecisionDto]:
        """List attribution decisions, newest first."""
        return self._list(
            Operation("attribution.list_decisions", "GET", "/api/v1/attribution/decisions", answers=("application/json",)),
            {"page": page, "limit": limit, "external_transaction_id": external_transaction_id, "attributed": attributed, "event_type": event_type, "dateFrom": date_from, "dateTo": date_to, "click_id": click_id, "promo_code": promo_code, "reason": reason},
            options,
        )

    def get_decision(
        self,
        *,
        conversion_id: str,
        options: CallOptions | None = None,
    ) -> models.DecisionDetailDto:
        """Get a decision with everything that was looked at."""
        return self._call(
            Operation("attribution.get_decision", "GET", "/api/v1/attribution/decisions/{conversionId}", answers=("application/json",)),
            {"conversionId": conversion_id},
            options,
        )

    def dry_run(
        self,
        *,
        external_transaction_id: str,
        event_type: str,
        click_id: str | None | NotGiven = NOT_GIVEN,
        promo_code: str | None | NotGiven = NOT_GIVEN,
        amount_cents: int | None | NotGiven = NOT_GIVEN,
        currency: str | None | NotGiven = NOT_GIVEN,
        occurred_at: str | None | NotGiven = NOT_GIVEN,
        prospect_email: str | None | NotGiven = NOT_GIVEN,
        customer_id: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
        items: List[Mapping[str, Any]] | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.DryRunDto:
        """See how a conversion would be decided, storing nothing."""
        return self._call(
            Operation("attribution.dry_run", "POST", "/api/v1/attribution/dry-run", query=(), needs_body=True, answers=("application/json",)),
            {"external_transaction_id": external_transaction_id, "event_type": event_type, "click_id": click_id, "promo_code": promo_code, "amount_cents": amount_cents, "currency": currency, "occurred_at": occurred_at, "prospect_email": prospect_email, "customer_id": customer_id, "metadata": metadata, "items": items},
            options,
        )


class Billers(Resource):
    def get_connection(
        self,
        *,
        biller: str,
        options: CallOptions | None = None,
    ) -> models.BillerConnectionDto:
        """Read the connection to a biller."""
        return self._call(
            Operation("billers.get_connection", "GET", "/api/v1/workspace/billers/{biller}", answers=("application/json",)),
            {"biller": biller},
            options,
        )

    def put_connection(
        self,
        *,
        biller: str,
        api_key: str | NotGiven = NOT_GIVEN,
        webhook_secret: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.BillerConnectionDto:
        """Connect to a biller."""
        return self._call(
            Operation("billers.put_connection", "PUT", "/api/v1/workspace/billers/{biller}", query=(), needs_body=True, answers=("application/json",)),
            {"biller": biller, "apiKey": api_key, "webhookSecret": webhook_secret},
            options,
        )

    def delete_connection(
        self,
        *,
        biller: str,
        options: CallOptions | None = None,
    ) -> None:
        """Disconnect from a biller."""
        return self._call(
            Operation("billers.delete_connection", "DELETE", "/api/v1/workspace/billers/{biller}", query=(), answers=()),
            {"biller": biller},
            options,
        )

    def list_events(
        self,
        *,
        biller: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["received", "retrying", "processed", "ignored", "waiting", "failed"] | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        object_id: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.BillerEventDto]:
        """List a biller's events."""
        return self._list(
            Operation("billers.list_events", "GET", "/api/v1/workspace/billers/{biller}/events", answers=("application/json",)),
            {"biller": biller, "page": page, "limit": limit, "status": status, "type": type, "objectId": object_id, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def replay_event(
        self,
        *,
        biller: str,
        event_id: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Process one of a biller's events again."""
        return self._call(
            Operation("billers.replay_event", "POST", "/api/v1/workspace/billers/{biller}/events/{eventId}/replay", query=(), answers=("application/json",)),
            {"biller": biller, "eventId": event_id},
            options,
        )


class Bonuses(Resource):
    def get(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.BonusesDto:
        """Read the bonuses of a programme."""
        return self._call(
            Operation("bonuses.get", "GET", "/api/v1/programs/{programId}/bonuses", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def replace(
        self,
        *,
        program_id: str,
        bonuses: List[Mapping[str, Any]],
        expected_reached: int | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.BonusesDto:
        """Replace the bonuses of a programme."""
        return self._call(
            Operation("bonuses.replace", "PUT", "/api/v1/programs/{programId}/bonuses", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "bonuses": bonuses, "expectedReached": expected_reached},
            options,
        )


class Commissions(Resource):
    def list(
        self,
        *,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        sort_by: Literal["createdAt", "amountCents", "status", "commissionType", "needsReview", "partnerName"] | NotGiven = NOT_GIVEN,
        sort_order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.CommissionDto]:
        """List commissions across programmes."""
        return self._list(
            Operation("commissions.list", "GET", "/api/v1/commissions", answers=("application/json",)),
            {"search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id, "sortBy": sort_by, "sortOrder": sort_order, "page": page, "limit": limit, "programId": program_id},
            options,
        )

    def stats(
        self,
        *,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CommissionStatsDto:
        """Count and sum commissions across programmes."""
        return self._call(
            Operation("commissions.stats", "GET", "/api/v1/commissions/stats", answers=("application/json",)),
            {"search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id, "programId": program_id},
            options,
        )

    def export(
        self,
        *,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> str:
        """Export commissions across programmes as CSV."""
        return self._call(
            Operation("commissions.export", "GET", "/api/v1/commissions/export", answers=("text/csv",)),
            {"search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id, "programId": program_id},
            options,
        )

    def list_of_program(
        self,
        *,
        program_id: str,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        sort_by: Literal["createdAt", "amountCents", "status", "commissionType", "needsReview", "partnerName"] | NotGiven = NOT_GIVEN,
        sort_order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.CommissionDto]:
        """List the commissions of a programme."""
        return self._list(
            Operation("commissions.list_of_program", "GET", "/api/v1/programs/{programId}/commissions", answers=("application/json",)),
            {"programId": program_id, "search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id, "sortBy": sort_by, "sortOrder": sort_order, "page": page, "limit": limit},
            options,
        )

    def stats_of_program(
        self,
        *,
        program_id: str,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CommissionStatsDto:
        """Count and sum the commissions of a programme."""
        return self._call(
            Operation("commissions.stats_of_program", "GET", "/api/v1/programs/{programId}/commissions/stats", answers=("application/json",)),
            {"programId": program_id, "search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id},
            options,
        )

    def export_of_program(
        self,
        *,
        program_id: str,
        search: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        payout_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> str:
        """Export the commissions of a programme as CSV."""
        return self._call(
            Operation("commissions.export_of_program", "GET", "/api/v1/programs/{programId}/commissions/export", answers=("text/csv",)),
            {"programId": program_id, "search": search, "dateFrom": date_from, "dateTo": date_to, "needsReview": needs_review, "status": status, "participantId": participant_id, "groupId": group_id, "currency": currency, "payoutId": payout_id},
            options,
        )

    def bulk_approve(
        self,
        *,
        program_id: str,
        commission_ids: List[str],
        options: CallOptions | None = None,
    ) -> models.BulkResultDto:
        """Approve up to 100 commissions."""
        return self._call(
            Operation("commissions.bulk_approve", "PATCH", "/api/v1/programs/{programId}/commissions/bulk-approve", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionIds": commission_ids},
            options,
        )

    def bulk_reject(
        self,
        *,
        program_id: str,
        commission_ids: List[str],
        reason: str,
        options: CallOptions | None = None,
    ) -> models.BulkResultDto:
        """Reject up to 100 commissions for one reason."""
        return self._call(
            Operation("commissions.bulk_reject", "PATCH", "/api/v1/programs/{programId}/commissions/bulk-reject", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionIds": commission_ids, "reason": reason},
            options,
        )

    def approve(
        self,
        *,
        program_id: str,
        commission_id: str,
        options: CallOptions | None = None,
    ) -> models.CommissionDto:
        """Approve a commission whose hold is over."""
        return self._call(
            Operation("commissions.approve", "PATCH", "/api/v1/programs/{programId}/commissions/{commissionId}/approve", query=(), answers=("application/json",)),
            {"programId": program_id, "commissionId": commission_id},
            options,
        )

    def approve_override(
        self,
        *,
        program_id: str,
        commission_id: str,
        reason: str,
        options: CallOptions | None = None,
    ) -> models.CommissionDto:
        """Approve a commission before its hold is over."""
        return self._call(
            Operation("commissions.approve_override", "PATCH", "/api/v1/programs/{programId}/commissions/{commissionId}/approve-override", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionId": commission_id, "reason": reason},
            options,
        )

    def reject(
        self,
        *,
        program_id: str,
        commission_id: str,
        reason: str,
        options: CallOptions | None = None,
    ) -> models.CommissionDto:
        """Reject a pending or approved commission."""
        return self._call(
            Operation("commissions.reject", "PATCH", "/api/v1/programs/{programId}/commissions/{commissionId}/reject", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionId": commission_id, "reason": reason},
            options,
        )

    def elapse_hold(
        self,
        *,
        program_id: str,
        commission_id: str,
        options: CallOptions | None = None,
    ) -> models.CommissionDto:
        """End the hold of a commission now (test mode)."""
        return self._call(
            Operation("commissions.elapse_hold", "POST", "/api/v1/programs/{programId}/commissions/{commissionId}/elapse-hold", query=(), answers=("application/json",)),
            {"programId": program_id, "commissionId": commission_id},
            options,
        )

    def get(
        self,
        *,
        program_id: str,
        commission_id: str,
        options: CallOptions | None = None,
    ) -> models.CommissionDetailDto:
        """Read a commission with its history and ledger."""
        return self._call(
            Operation("commissions.get", "GET", "/api/v1/programs/{programId}/commissions/{commissionId}", answers=("application/json",)),
            {"programId": program_id, "commissionId": commission_id},
            options,
        )

    def adjust_balance(
        self,
        *,
        program_id: str,
        participant_id: str,
        amount_cents: int,
        reason: str,
        kind: Literal["adjustment", "write_off"] | NotGiven = NOT_GIVEN,
        currency: str | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CommissionDto:
        """Adjust a partner's balance."""
        return self._call(
            Operation("commissions.adjust_balance", "POST", "/api/v1/programs/{programId}/partners/{participantId}/adjustments", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "amountCents": amount_cents, "reason": reason, "kind": kind, "currency": currency, "externalId": external_id},
            options,
        )


class Conversions(Resource):
    def report(
        self,
        *,
        external_transaction_id: str,
        event_type: str,
        click_id: str | None | NotGiven = NOT_GIVEN,
        promo_code: str | None | NotGiven = NOT_GIVEN,
        amount_cents: int | None | NotGiven = NOT_GIVEN,
        currency: str | None | NotGiven = NOT_GIVEN,
        occurred_at: str | None | NotGiven = NOT_GIVEN,
        prospect_email: str | None | NotGiven = NOT_GIVEN,
        customer_id: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
        items: List[Mapping[str, Any]] | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ConversionDto:
        """Report a conversion."""
        return self._call(
            Operation("conversions.report", "POST", "/api/v1/conversions", query=(), needs_body=True, answers=("application/json",)),
            {"external_transaction_id": external_transaction_id, "event_type": event_type, "click_id": click_id, "promo_code": promo_code, "amount_cents": amount_cents, "currency": currency, "occurred_at": occurred_at, "prospect_email": prospect_email, "customer_id": customer_id, "metadata": metadata, "items": items},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        external_transaction_id: str | NotGiven = NOT_GIVEN,
        attributed: bool | NotGiven = NOT_GIVEN,
        event_type: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ConversionDto]:
        """List conversions, newest first."""
        return self._list(
            Operation("conversions.list", "GET", "/api/v1/conversions", answers=("application/json",)),
            {"page": page, "limit": limit, "external_transaction_id": external_transaction_id, "attributed": attributed, "event_type": event_type, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def get(
        self,
        *,
        conversion_id: str,
        options: CallOptions | None = None,
    ) -> models.ConversionDto:
        """Get a conversion."""
        return self._call(
            Operation("conversions.get", "GET", "/api/v1/conversions/{conversionId}", answers=("application/json",)),
            {"conversionId": conversion_id},
            options,
        )

    def refund(
        self,
        *,
        conversion_id: str,
        external_refund_id: str,
        amount_cents: int | None | NotGiven = NOT_GIVEN,
        reason: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.RefundDto:
        """Report a refund made outside Stripe."""
        return self._call(
            Operation("conversions.refund", "POST", "/api/v1/conversions/{conversionId}/refunds", query=(), needs_body=True, answers=("application/json",)),
            {"conversionId": conversion_id, "external_refund_id": external_refund_id, "amount_cents": amount_cents, "reason": reason},
            options,
        )

    def list_refunds(
        self,
        *,
        conversion_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.RefundDto]:
        """List the refunds reported for a conversion, oldest first."""
        return self._list(
            Operation("conversions.list_refunds", "GET", "/api/v1/conversions/{conversionId}/refunds", answers=("application/json",)),
            {"conversionId": conversion_id, "page": page, "limit": limit},
            options,
        )


class Customers(Resource):
    def sign_up(
        self,
        *,
        customer_id: str,
        click_id: str | None | NotGiven = NOT_GIVEN,
        promo_code: str | None | NotGiven = NOT_GIVEN,
        aliases: List[str] | None | NotGiven = NOT_GIVEN,
        occurred_at: str | None | NotGiven = NOT_GIVEN,
        prospect_email: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.SignedUpCustomerDto:
        """Tell of a sign-up."""
        return self._call(
            Operation("customers.sign_up", "POST", "/api/v1/customers", query=(), needs_body=True, answers=("application/json",)),
            {"customer_id": customer_id, "click_id": click_id, "promo_code": promo_code, "aliases": aliases, "occurred_at": occurred_at, "prospect_email": prospect_email},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.CustomerDto]:
        """List customers, the last bound first."""
        return self._list(
            Operation("customers.list", "GET", "/api/v1/customers", answers=("application/json",)),
            {"page": page, "limit": limit, "participant_id": participant_id, "program_id": program_id, "source": source},
            options,
        )

    def get(
        self,
        *,
        customer_id: str,
        options: CallOptions | None = None,
    ) -> models.CustomerDto:
        """Get a customer."""
        return self._call(
            Operation("customers.get", "GET", "/api/v1/customers/{customerId}", answers=("application/json",)),
            {"customerId": customer_id},
            options,
        )

    def list_program(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        customer_id: str | NotGiven = NOT_GIVEN,
        source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ProgramCustomerDto]:
        """List the customers of a programme's partners."""
        return self._list(
            Operation("customers.list_program", "GET", "/api/v1/programs/{programId}/customers", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit, "participantId": participant_id, "customerId": customer_id, "source": source},
            options,
        )

    def bind(
        self,
        *,
        program_id: str,
        customer_id: str,
        participant_id: str,
        reason: str,
        options: CallOptions | None = None,
    ) -> models.ProgramCustomerDto:
        """Bind a customer to a partner, or bind them anew."""
        return self._call(
            Operation("customers.bind", "PUT", "/api/v1/programs/{programId}/customers/{customerId}", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "customerId": customer_id, "participantId": participant_id, "reason": reason},
            options,
        )

    def unbind(
        self,
        *,
        program_id: str,
        customer_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Take the binding of a customer away."""
        return self._call(
            Operation("customers.unbind", "DELETE", "/api/v1/programs/{programId}/customers/{customerId}", query=(), answers=()),
            {"programId": program_id, "customerId": customer_id},
            options,
        )


class Erasure(Resource):
    def erase_partner_account(
        self,
        *,
        confirmation: Literal["DELETE"],
        options: CallOptions | None = None,
    ) -> models.ErasureDto:
        """Erase your own account, in all programmes and both modes."""
        return self._call(
            Operation("erasure.erase_partner_account", "POST", "/api/v1/partner/account/erase", query=(), needs_body=True, answers=("application/json",)),
            {"confirmation": confirmation},
            options,
        )

    def erase_participant(
        self,
        *,
        program_id: str,
        participant_id: str,
        confirmation: Literal["DELETE"],
        options: CallOptions | None = None,
    ) -> models.ErasureDto:
        """Erase the personal data of one participant."""
        return self._call(
            Operation("erasure.erase_participant", "POST", "/api/v1/programs/{programId}/partners/{participantId}/erase", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "confirmation": confirmation},
            options,
        )

    def erase_partner_invites(
        self,
        *,
        partner_email: str,
        partner_gpa_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Erase the data of invites to a partner."""
        return self._call(
            Operation("erasure.erase_partner_invites", "POST", "/api/v1/gdpr/partner-data-erasure", query=(), needs_body=True, answers=()),
            {"partnerEmail": partner_email, "partnerGpaId": partner_gpa_id},
            options,
        )

    def erase_customer(
        self,
        *,
        customer_id: str | NotGiven = NOT_GIVEN,
        email: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CustomerErasureDto:
        """Erase the data of a buyer."""
        return self._call(
            Operation("erasure.erase_customer", "POST", "/api/v1/gdpr/customer-erasure", query=(), needs_body=True, answers=("application/json",)),
            {"customerId": customer_id, "email": email},
            options,
        )

    def list_receipts(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ReceiptDto]:
        """List what was erased, newest first."""
        return self._list(
            Operation("erasure.list_receipts", "GET", "/api/v1/gdpr/receipts", answers=("application/json",)),
            {"page": page, "limit": limit, "participantId": participant_id},
            options,
        )

    def export_participant(
        self,
        *,
        program_id: str,
        participant_id: str,
        options: CallOptions | None = None,
    ) -> models.PartnerExportDto:
        """Export a partner's data in this programme."""
        return self._call(
            Operation("erasure.export_participant", "POST", "/api/v1/programs/{programId}/partners/{participantId}/export", query=(), answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id},
            options,
        )

    def export_partner_account(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.AccountExportDto:
        """Export all that is kept of you, over all programmes and both modes."""
        return self._call(
            Operation("erasure.export_partner_account", "POST", "/api/v1/partner/account/export", query=(), answers=("application/json",)),
            {},
            options,
        )


class Fraud(Resource):
    def get_rules(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.FraudRulesDto:
        """Get all fraud rules of a programme."""
        return self._call(
            Operation("fraud.get_rules", "GET", "/api/v1/programs/{programId}/fraud-rules", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def update_rules(
        self,
        *,
        program_id: str,
        rules: List[Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.FraudRulesDto:
        """Set fraud rules of a programme."""
        return self._call(
            Operation("fraud.update_rules", "PUT", "/api/v1/programs/{programId}/fraud-rules", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "rules": rules},
            options,
        )

    def list_flags(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"] | NotGiven = NOT_GIVEN,
        state: Literal["open", "confirmed", "dismissed"] | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.FraudFlagDto]:
        """List what the fraud rules found, newest first."""
        return self._list(
            Operation("fraud.list_flags", "GET", "/api/v1/programs/{programId}/fraud-flags", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit, "rule": rule, "state": state, "participantId": participant_id, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def resolve_flag(
        self,
        *,
        program_id: str,
        flag_id: str,
        state: Literal["confirmed", "dismissed"],
        note: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.FraudFlagDto:
        """Close a fraud flag: confirmed or dismissed."""
        return self._call(
            Operation("fraud.resolve_flag", "POST", "/api/v1/programs/{programId}/fraud-flags/{flagId}/resolve", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "flagId": flag_id, "state": state, "note": note},
            options,
        )

    def back_test_rules(
        self,
        *,
        program_id: str,
        rules: List[Mapping[str, Any]],
        from_: str,
        to: str,
        options: CallOptions | None = None,
    ) -> models.BackTestDto:
        """Try fraud rules on past conversions."""
        return self._call(
            Operation("fraud.back_test_rules", "POST", "/api/v1/programs/{programId}/fraud-rules/back-test", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "rules": rules, "from": from_, "to": to},
            options,
        )


class Groups(Resource):
    def create(
        self,
        *,
        program_id: str,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        commission: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
        hold_days: int | None | NotGiven = NOT_GIVEN,
        auto_approve: bool | None | NotGiven = NOT_GIVEN,
        public_applications: bool | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.GroupDto:
        """Make a group."""
        return self._call(
            Operation("groups.create", "POST", "/api/v1/programs/{programId}/groups", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "name": name, "description": description, "commission": commission, "holdDays": hold_days, "autoApprove": auto_approve, "publicApplications": public_applications, "approvalMode": approval_mode},
            options,
        )

    def list(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.GroupDto]:
        """List the groups of a programme."""
        return self._list(
            Operation("groups.list", "GET", "/api/v1/programs/{programId}/groups", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit},
            options,
        )

    def get(
        self,
        *,
        program_id: str,
        group_id: str,
        options: CallOptions | None = None,
    ) -> models.GroupDto:
        """Read a group."""
        return self._call(
            Operation("groups.get", "GET", "/api/v1/programs/{programId}/groups/{groupId}", answers=("application/json",)),
            {"programId": program_id, "groupId": group_id},
            options,
        )

    def update(
        self,
        *,
        program_id: str,
        group_id: str,
        description: str | None | NotGiven = NOT_GIVEN,
        commission: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
        hold_days: int | None | NotGiven = NOT_GIVEN,
        auto_approve: bool | None | NotGiven = NOT_GIVEN,
        public_applications: bool | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | None | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        notify: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.GroupDto:
        """Change a group."""
        return self._call(
            Operation("groups.update", "PATCH", "/api/v1/programs/{programId}/groups/{groupId}", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "groupId": group_id, "description": description, "commission": commission, "holdDays": hold_days, "autoApprove": auto_approve, "publicApplications": public_applications, "approvalMode": approval_mode, "name": name, "notify": notify},
            options,
        )

    def delete(
        self,
        *,
        program_id: str,
        group_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a group that nothing leads into."""
        return self._call(
            Operation("groups.delete", "DELETE", "/api/v1/programs/{programId}/groups/{groupId}", query=(), answers=()),
            {"programId": program_id, "groupId": group_id},
            options,
        )


class Imports(Resource):
    def create(
        self,
        *,
        program_id: str,
        source: Literal["rewardful", "tolt", "firstpromoter", "csv"],
        cutover: str,
        credentials: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        only: List[str] | None | NotGiven = NOT_GIVEN,
        group_by: Literal["campaign", "campaign_and_commission"] | None | NotGiven = NOT_GIVEN,
        mapping: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        statuses: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Begin an import of an existing programme."""
        return self._call(
            Operation("imports.create", "POST", "/api/v1/programs/{programId}/imports", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "source": source, "cutover": cutover, "credentials": credentials, "name": name, "currency": currency, "only": only, "groupBy": group_by, "mapping": mapping, "statuses": statuses},
            options,
        )

    def list(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ImportDto]:
        """List the imports of a programme."""
        return self._list(
            Operation("imports.list", "GET", "/api/v1/programs/{programId}/imports", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit},
            options,
        )

    def get(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Read an import."""
        return self._call(
            Operation("imports.get", "GET", "/api/v1/programs/{programId}/imports/{importId}", answers=("application/json",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def change(
        self,
        *,
        program_id: str,
        import_id: str,
        cutover: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        only: List[str] | None | NotGiven = NOT_GIVEN,
        group_by: Literal["campaign", "campaign_and_commission"] | None | NotGiven = NOT_GIVEN,
        mapping: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        statuses: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Change what an import takes."""
        return self._call(
            Operation("imports.change", "PATCH", "/api/v1/programs/{programId}/imports/{importId}", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "importId": import_id, "cutover": cutover, "currency": currency, "only": only, "groupBy": group_by, "mapping": mapping, "statuses": statuses},
            options,
        )

    def check(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Read an import and tell what it would bring."""
        return self._call(
            Operation("imports.check", "POST", "/api/v1/programs/{programId}/imports/{importId}/check", query=(), answers=("application/json",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def cancel(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Cancel an import, or stop it between two batches."""
        return self._call(
            Operation("imports.cancel", "POST", "/api/v1/programs/{programId}/imports/{importId}/cancel", query=(), answers=("application/json",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def put_file(
        self,
        *,
        program_id: str,
        import_id: str,
        kind: str,
        body: str,
        part: int | NotGiven = NOT_GIVEN,
        lines_before: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> None:
        """Give an import a file."""
        return self._call(
            Operation("imports.put_file", "PUT", "/api/v1/programs/{programId}/imports/{importId}/files/{kind}", query=("part", "linesBefore",), body_type="text/csv", answers=()),
            {"programId": program_id, "importId": import_id, "kind": kind, "body": body, "part": part, "linesBefore": lines_before},
            options,
        )

    def remove_file(
        self,
        *,
        program_id: str,
        import_id: str,
        kind: str,
        part: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> None:
        """Take a file of an import away."""
        return self._call(
            Operation("imports.remove_file", "DELETE", "/api/v1/programs/{programId}/imports/{importId}/files/{kind}", query=("part",), answers=()),
            {"programId": program_id, "importId": import_id, "kind": kind, "part": part},
            options,
        )

    def list_files(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> models.ImportFilesDto:
        """List the files of an import."""
        return self._call(
            Operation("imports.list_files", "GET", "/api/v1/programs/{programId}/imports/{importId}/files", answers=("application/json",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def list_problems(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> str:
        """List the rows of an import that are left out, as CSV."""
        return self._call(
            Operation("imports.list_problems", "GET", "/api/v1/programs/{programId}/imports/{importId}/problems", answers=("text/csv",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def apply(
        self,
        *,
        program_id: str,
        import_id: str,
        expected: List[Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Book what was checked."""
        return self._call(
            Operation("imports.apply", "POST", "/api/v1/programs/{programId}/imports/{importId}/apply", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "importId": import_id, "expected": expected},
            options,
        )

    def undo(
        self,
        *,
        program_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> models.ImportDto:
        """Take back what an import booked."""
        return self._call(
            Operation("imports.undo", "POST", "/api/v1/programs/{programId}/imports/{importId}/undo", query=(), answers=("application/json",)),
            {"programId": program_id, "importId": import_id},
            options,
        )

    def announce(
        self,
        *,
        program_id: str,
        import_id: str,
        message: str | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.AnnouncedDto:
        """Tell the partners of an import that they are here."""
        return self._call(
            Operation("imports.announce", "POST", "/api/v1/programs/{programId}/imports/{importId}/announce", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "importId": import_id, "message": message, "dryRun": dry_run},
            options,
        )

    def export_terms(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.LeavingTermsDto:
        """Export what a programme offers, as JSON."""
        return self._call(
            Operation("imports.export_terms", "GET", "/api/v1/programs/{programId}/export/terms", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def export_program(
        self,
        *,
        program_id: str,
        kind: str,
        include_payout: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> str:
        """Export what a programme has, as CSV."""
        return self._call(
            Operation("imports.export_program", "GET", "/api/v1/programs/{programId}/export/{kind}", answers=("text/csv",)),
            {"programId": program_id, "kind": kind, "includePayout": include_payout},
            options,
        )


class Members(Resource):
    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.MemberDto]:
        """List members and open invites."""
        return self._list(
            Operation("members.list", "GET", "/api/v1/workspace/members", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def invite(
        self,
        *,
        email: str,
        role: Literal["viewer", "member", "admin", "owner"],
        options: CallOptions | None = None,
    ) -> models.InvitedMemberDto:
        """Invite a member to the workspace."""
        return self._call(
            Operation("members.invite", "POST", "/api/v1/workspace/members", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "role": role},
            options,
        )

    def get(
        self,
        *,
        member_id: str,
        options: CallOptions | None = None,
    ) -> models.MemberDto:
        """Read a member or an open invite."""
        return self._call(
            Operation("members.get", "GET", "/api/v1/workspace/members/{memberId}", answers=("application/json",)),
            {"memberId": member_id},
            options,
        )

    def change_role(
        self,
        *,
        member_id: str,
        role: Literal["viewer", "member", "admin", "owner"],
        options: CallOptions | None = None,
    ) -> models.MemberDto:
        """Change the role of a member or an open invite."""
        return self._call(
            Operation("members.change_role", "PATCH", "/api/v1/workspace/members/{memberId}", query=(), needs_body=True, answers=("application/json",)),
            {"memberId": member_id, "role": role},
            options,
        )

    def remove(
        self,
        *,
        member_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a member, or withdraw an invite."""
        return self._call(
            Operation("members.remove", "DELETE", "/api/v1/workspace/members/{memberId}", query=(), answers=()),
            {"memberId": member_id},
            options,
        )


class Notifications(Resource):
    def get_preferences(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.MerchantPreferencesDto:
        """Read the notification preferences of this account."""
        return self._call(
            Operation("notifications.get_preferences", "GET", "/api/v1/notifications/preferences", answers=("application/json",)),
            {},
            options,
        )

    def update_preferences(
        self,
        *,
        preferences: List[Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.MerchantPreferencesDto:
        """Change the notification preferences of this account."""
        return self._call(
            Operation("notifications.update_preferences", "PATCH", "/api/v1/notifications/preferences", query=(), needs_body=True, answers=("application/json",)),
            {"preferences": preferences},
            options,
        )

    def create_stream_ticket(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.TicketDto:
        """Get a ticket for the stream."""
        return self._call(
            Operation("notifications.create_stream_ticket", "POST", "/api/v1/notifications/stream-ticket", query=(), answers=("application/json",)),
            {},
            options,
        )

    def stream(
        self,
        *,
        last_event_id: str | NotGiven = NOT_GIVEN,
        ticket: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Any:
        """Receive notifications as they happen."""
        return self._call(
            Operation("notifications.stream", "GET", "/api/v1/notifications/stream", answers=("text/event-stream",)),
            {"lastEventId": last_event_id, "ticket": ticket},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"] | NotGiven = NOT_GIVEN,
        unread: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.NotificationDto]:
        """List the notifications of the current mode."""
        return self._list(
            Operation("notifications.list", "GET", "/api/v1/notifications", answers=("application/json",)),
            {"page": page, "limit": limit, "category": category, "unread": unread},
            options,
        )

    def count_unread(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Count the unread notifications of the current mode."""
        return self._call(
            Operation("notifications.count_unread", "GET", "/api/v1/notifications/unread-count", answers=("application/json",)),
            {},
            options,
        )

    def read_all(
        self,
        *,
        category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Mark all notifications as read."""
        return self._call(
            Operation("notifications.read_all", "POST", "/api/v1/notifications/read-all", query=(), answers=("application/json",)),
            {"category": category},
            options,
        )

    def read(
        self,
        *,
        notification_id: str,
        options: CallOptions | None = None,
    ) -> models.NotificationDto:
        """Mark a notification as read."""
        return self._call(
            Operation("notifications.read", "POST", "/api/v1/notifications/{notificationId}/read", query=(), answers=("application/json",)),
            {"notificationId": notification_id},
            options,
        )

    def dismiss_read(
        self,
        *,
        category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Dismiss the notifications that this account has read."""
        return self._call(
            Operation("notifications.dismiss_read", "POST", "/api/v1/notifications/dismiss-read", query=(), answers=("application/json",)),
            {"category": category},
            options,
        )

    def dismiss(
        self,
        *,
        notification_id: str,
        options: CallOptions | None = None,
    ) -> models.NotificationDto:
        """Dismiss a notification."""
        return self._call(
            Operation("notifications.dismiss", "POST", "/api/v1/notifications/{notificationId}/dismiss", query=(), answers=("application/json",)),
            {"notificationId": notification_id},
            options,
        )


class OwnAccount(Resource):
    def get_merchant_account(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.MerchantAccountDto:
        """Read your own account."""
        return self._call(
            Operation("own_account.get_merchant_account", "GET", "/api/v1/auth/merchant/account", answers=("application/json",)),
            {},
            options,
        )

    def update_merchant_account(
        self,
        *,
        name: str,
        options: CallOptions | None = None,
    ) -> models.MerchantAccountDto:
        """Rename your own account."""
        return self._call(
            Operation("own_account.update_merchant_account", "PATCH", "/api/v1/auth/merchant/account", query=(), needs_body=True, answers=("application/json",)),
            {"name": name},
            options,
        )

    def change_email_merchant(
        self,
        *,
        email: str,
        password: str,
        options: CallOptions | None = None,
    ) -> models.MerchantAccountDto:
        """Change your e-mail address."""
        return self._call(
            Operation("own_account.change_email_merchant", "POST", "/api/v1/auth/merchant/change-email", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password},
            options,
        )

    def change_password_merchant(
        self,
        *,
        current_password: str,
        new_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Change your password."""
        return self._call(
            Operation("own_account.change_password_merchant", "POST", "/api/v1/auth/merchant/change-password", query=(), needs_body=True, answers=()),
            {"currentPassword": current_password, "newPassword": new_password},
            options,
        )

    def list_sessions_merchant(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.SessionDto]:
        """List your sessions."""
        return self._list(
            Operation("own_account.list_sessions_merchant", "GET", "/api/v1/auth/merchant/sessions", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def end_session_merchant(
        self,
        *,
        session_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """End one of your sessions."""
        return self._call(
            Operation("own_account.end_session_merchant", "DELETE", "/api/v1/auth/merchant/sessions/{sessionId}", query=(), answers=()),
            {"sessionId": session_id},
            options,
        )

    def resend_verification_merchant(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Send the verification mail again."""
        return self._call(
            Operation("own_account.resend_verification_merchant", "POST", "/api/v1/auth/merchant/email/resend-verification", query=(), answers=("application/json",)),
            {},
            options,
        )

    def change_email_partner(
        self,
        *,
        email: str,
        password: str,
        options: CallOptions | None = None,
    ) -> models.PartnerIdentityDto:
        """Change your e-mail address."""
        return self._call(
            Operation("own_account.change_email_partner", "POST", "/api/v1/auth/partner/change-email", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password},
            options,
        )

    def change_password_partner(
        self,
        *,
        current_password: str,
        new_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Change your password."""
        return self._call(
            Operation("own_account.change_password_partner", "POST", "/api/v1/auth/partner/change-password", query=(), needs_body=True, answers=()),
            {"currentPassword": current_password, "newPassword": new_password},
            options,
        )

    def list_sessions_partner(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.SessionDto]:
        """List your sessions."""
        return self._list(
            Operation("own_account.list_sessions_partner", "GET", "/api/v1/auth/partner/sessions", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def end_session_partner(
        self,
        *,
        session_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """End one of your sessions."""
        return self._call(
            Operation("own_account.end_session_partner", "DELETE", "/api/v1/auth/partner/sessions/{sessionId}", query=(), answers=()),
            {"sessionId": session_id},
            options,
        )

    def resend_verification_partner(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Send the verification mail again."""
        return self._call(
            Operation("own_account.resend_verification_partner", "POST", "/api/v1/auth/partner/email/resend-verification", query=(), answers=("application/json",)),
            {},
            options,
        )

    def set_up_two_factor_merchant(
        self,
        *,
        password: str,
        options: CallOptions | None = None,
    ) -> models.TwoFactorSetupDto:
        """Begin to set up a second factor."""
        return self._call(
            Operation("own_account.set_up_two_factor_merchant", "POST", "/api/v1/auth/merchant/two-factor/setup", query=(), needs_body=True, answers=("application/json",)),
            {"password": password},
            options,
        )

    def enable_two_factor_merchant(
        self,
        *,
        code: str,
        options: CallOptions | None = None,
    ) -> models.RecoveryCodesDto:
        """Enable the second factor by a code of the app."""
        return self._call(
            Operation("own_account.enable_two_factor_merchant", "POST", "/api/v1/auth/merchant/two-factor/enable", query=(), needs_body=True, answers=("application/json",)),
            {"code": code},
            options,
        )

    def disable_two_factor_merchant(
        self,
        *,
        password: str,
        code: str,
        options: CallOptions | None = None,
    ) -> None:
        """Switch the second factor off."""
        return self._call(
            Operation("own_account.disable_two_factor_merchant", "POST", "/api/v1/auth/merchant/two-factor/disable", query=(), needs_body=True, answers=()),
            {"password": password, "code": code},
            options,
        )

    def renew_recovery_codes_merchant(
        self,
        *,
        password: str,
        code: str,
        options: CallOptions | None = None,
    ) -> models.RecoveryCodesDto:
        """Make new recovery codes."""
        return self._call(
            Operation("own_account.renew_recovery_codes_merchant", "POST", "/api/v1/auth/merchant/two-factor/recovery-codes", query=(), needs_body=True, answers=("application/json",)),
            {"password": password, "code": code},
            options,
        )

    def set_up_two_factor_partner(
        self,
        *,
        password: str,
        options: CallOptions | None = None,
    ) -> models.TwoFactorSetupDto:
        """Begin to set up a second factor."""
        return self._call(
            Operation("own_account.set_up_two_factor_partner", "POST", "/api/v1/auth/partner/two-factor/setup", query=(), needs_body=True, answers=("application/json",)),
            {"password": password},
            options,
        )

    def enable_two_factor_partner(
        self,
        *,
        code: str,
        options: CallOptions | None = None,
    ) -> models.RecoveryCodesDto:
        """Enable the second factor by a code of the app."""
        return self._call(
            Operation("own_account.enable_two_factor_partner", "POST", "/api/v1/auth/partner/two-factor/enable", query=(), needs_body=True, answers=("application/json",)),
            {"code": code},
            options,
        )

    def disable_two_factor_partner(
        self,
        *,
        password: str,
        code: str,
        options: CallOptions | None = None,
    ) -> None:
        """Switch the second factor off."""
        return self._call(
            Operation("own_account.disable_two_factor_partner", "POST", "/api/v1/auth/partner/two-factor/disable", query=(), needs_body=True, answers=()),
            {"password": password, "code": code},
            options,
        )

    def renew_recovery_codes_partner(
        self,
        *,
        password: str,
        code: str,
        options: CallOptions | None = None,
    ) -> models.RecoveryCodesDto:
        """Make new recovery codes."""
        return self._call(
            Operation("own_account.renew_recovery_codes_partner", "POST", "/api/v1/auth/partner/two-factor/recovery-codes", query=(), needs_body=True, answers=("application/json",)),
            {"password": password, "code": code},
            options,
        )


class PartnerAccount(Resource):
    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.PartnerAccountDto:
        """Read your own account."""
        return self._call(
            Operation("partner_account.get", "GET", "/api/v1/partner/account", answers=("application/json",)),
            {},
            options,
        )

    def update(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        vat_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PartnerAccountDto:
        """Change your own account."""
        return self._call(
            Operation("partner_account.update", "PATCH", "/api/v1/partner/account", query=(), needs_body=True, answers=("application/json",)),
            {"name": name, "vatId": vat_id},
            options,
        )

    def get_payout_method(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.PayoutMethodDto:
        """Read how you are paid."""
        return self._call(
            Operation("partner_account.get_payout_method", "GET", "/api/v1/partner/payout-method", answers=("application/json",)),
            {},
            options,
        )

    def put_payout_method(
        self,
        *,
        password: str,
        method: Mapping[str, Any],
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutMethodDto:
        """Say how you are paid."""
        return self._call(
            Operation("partner_account.put_payout_method", "PUT", "/api/v1/partner/payout-method", query=(), needs_body=True, answers=("application/json",)),
            {"password": password, "method": method, "code": code},
            options,
        )

    def delete_payout_method(
        self,
        *,
        password: str,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> None:
        """Forget how you are paid."""
        return self._call(
            Operation("partner_account.delete_payout_method", "DELETE", "/api/v1/partner/payout-method", query=(), needs_body=True, answers=()),
            {"password": password, "code": code},
            options,
        )


class PartnerPortal(Resource):
    def list_programs(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PartnerProgramDto]:
        """List the partner's programmes of the current mode."""
        return self._list(
            Operation("partner_portal.list_programs", "GET", "/api/v1/partner/programs", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def get_program(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.PartnerTermsDto:
        """Read a programme with the terms that apply to you."""
        return self._call(
            Operation("partner_portal.get_program", "GET", "/api/v1/partner/programs/{programId}", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def leave_program(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Leave a programme."""
        return self._call(
            Operation("partner_portal.leave_program", "POST", "/api/v1/partner/programs/{programId}/leave", query=(), answers=()),
            {"programId": program_id},
            options,
        )

    def apply_to_program(
        self,
        *,
        program_id: str,
        message: str | None | NotGiven = NOT_GIVEN,
        referral_code: str | None | NotGiven = NOT_GIVEN,
        group_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Apply to a programme."""
        return self._call(
            Operation("partner_portal.apply_to_program", "POST", "/api/v1/partner/programs/{programId}/applications", query=(), answers=("application/json",)),
            {"programId": program_id, "message": message, "referralCode": referral_code, "groupId": group_id},
            options,
        )

    def list_links(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.TrackingLinkDto]:
        """List the partner's links in a programme."""
        return self._list(
            Operation("partner_portal.list_links", "GET", "/api/v1/partner/programs/{programId}/links", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit},
            options,
        )

    def create_link(
        self,
        *,
        program_id: str,
        target_url: str,
        name: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.TrackingLinkDto:
        """Create a link."""
        return self._call(
            Operation("partner_portal.create_link", "POST", "/api/v1/partner/programs/{programId}/links", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "targetUrl": target_url, "name": name},
            options,
        )

    def get_link(
        self,
        *,
        program_id: str,
        link_id: str,
        options: CallOptions | None = None,
    ) -> models.TrackingLinkDto:
        """Read a link."""
        return self._call(
            Operation("partner_portal.get_link", "GET", "/api/v1/partner/programs/{programId}/links/{linkId}", answers=("application/json",)),
            {"programId": program_id, "linkId": link_id},
            options,
        )

    def delete_link(
        self,
        *,
        program_id: str,
        link_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a link."""
        return self._call(
            Operation("partner_portal.delete_link", "DELETE", "/api/v1/partner/programs/{programId}/links/{linkId}", query=(), answers=()),
            {"programId": program_id, "linkId": link_id},
            options,
        )

    def get_link_qr_code(
        self,
        *,
        program_id: str,
        link_id: str,
        options: CallOptions | None = None,
    ) -> str:
        """A link's address as a QR code."""
        return self._call(
            Operation("partner_portal.get_link_qr_code", "GET", "/api/v1/partner/programs/{programId}/links/{linkId}/qr.svg", answers=("image/svg+xml",)),
            {"programId": program_id, "linkId": link_id},
            options,
        )

    def list_commissions(
        self,
        *,
        search: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        sort_by: Literal["createdAt", "amountCents", "status"] | NotGiven = NOT_GIVEN,
        sort_order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PartnerCommissionDto]:
        """List your own commissions."""
        return self._list(
            Operation("partner_portal.list_commissions", "GET", "/api/v1/partner/commissions", answers=("application/json",)),
            {"search": search, "programId": program_id, "status": status, "currency": currency, "dateFrom": date_from, "dateTo": date_to, "sortBy": sort_by, "sortOrder": sort_order, "page": page, "limit": limit},
            options,
        )

    def get_commission_stats(
        self,
        *,
        search: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "paid", "refunded"] | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CommissionStatsDto:
        """Count and sum your own commissions."""
        return self._call(
            Operation("partner_portal.get_commission_stats", "GET", "/api/v1/partner/commissions/stats", answers=("application/json",)),
            {"search": search, "programId": program_id, "status": status, "currency": currency, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def get_commission(
        self,
        *,
        commission_id: str,
        options: CallOptions | None = None,
    ) -> models.PartnerCommissionDetailDto:
        """Read an own commission with its history and ledger."""
        return self._call(
            Operation("partner_portal.get_commission", "GET", "/api/v1/partner/commissions/{commissionId}", answers=("application/json",)),
            {"commissionId": commission_id},
            options,
        )

    def get_balances(
        self,
        *,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.BalancesDto:
        """Read what you are owed, by currency."""
        return self._call(
            Operation("partner_portal.get_balances", "GET", "/api/v1/partner/balances", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def list_payouts(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PartnerPayoutDto]:
        """List your own payouts, newest first."""
        return self._list(
            Operation("partner_portal.list_payouts", "GET", "/api/v1/partner/payouts", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def report_payout_not_received(
        self,
        *,
        id: str,
        message: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.NotReceivedDto:
        """Say that a payout did not arrive."""
        return self._call(
            Operation("partner_portal.report_payout_not_received", "POST", "/api/v1/partner/payouts/{id}/not-received", query=(), answers=("application/json",)),
            {"id": id, "message": message},
            options,
        )

    def get_metrics(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.MetricsDto:
        """Your revenue, clicks and conversions beside the period before."""
        return self._call(
            Operation("partner_portal.get_metrics", "GET", "/api/v1/partner/analytics/metrics", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "linkId": link_id, "promoCode": promo_code, "currency": currency, "programId": program_id},
            options,
        )

    def get_trend(
        self,
        *,
        from_: str,
        to: str,
        tz: str,
        granularity: Literal["day", "week"],
        metric: Literal["conversions", "clicks", "revenue"],
        link_id: str | NotGiven = NOT_GIVEN,
        promo_code: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.TrendDto:
        """One of your figures by local day or ISO week."""
        return self._call(
            Operation("partner_portal.get_trend", "GET", "/api/v1/partner/analytics/trend", answers=("application/json",)),
            {"from": from_, "to": to, "tz": tz, "granularity": granularity, "metric": metric, "linkId": link_id, "promoCode": promo_code, "currency": currency, "programId": program_id},
            options,
        )

    def get_notification_preferences(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.PartnerPreferencesDto:
        """Read the notification preferences of this account."""
        return self._call(
            Operation("partner_portal.get_notification_preferences", "GET", "/api/v1/partner/notifications/preferences", answers=("application/json",)),
            {},
            options,
        )

    def update_notification_preferences(
        self,
        *,
        preferences: List[Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.PartnerPreferencesDto:
        """Change the notification preferences of this account."""
        return self._call(
            Operation("partner_portal.update_notification_preferences", "PATCH", "/api/v1/partner/notifications/preferences", query=(), needs_body=True, answers=("application/json",)),
            {"preferences": preferences},
            options,
        )

    def create_stream_ticket(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.TicketDto:
        """Get a ticket for the stream."""
        return self._call(
            Operation("partner_portal.create_stream_ticket", "POST", "/api/v1/partner/notifications/stream-ticket", query=(), answers=("application/json",)),
            {},
            options,
        )

    def stream_notifications(
        self,
        *,
        last_event_id: str | NotGiven = NOT_GIVEN,
        ticket: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Any:
        """Receive notifications as they happen."""
        return self._call(
            Operation("partner_portal.stream_notifications", "GET", "/api/v1/partner/notifications/stream", answers=("text/event-stream",)),
            {"lastEventId": last_event_id, "ticket": ticket},
            options,
        )

    def list_notifications(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        category: Literal["programs", "commissions", "payouts", "security"] | NotGiven = NOT_GIVEN,
        unread: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.NotificationDto]:
        """List the notifications of the current mode."""
        return self._list(
            Operation("partner_portal.list_notifications", "GET", "/api/v1/partner/notifications", answers=("application/json",)),
            {"page": page, "limit": limit, "category": category, "unread": unread},
            options,
        )

    def count_unread_notifications(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Count the unread notifications of the current mode."""
        return self._call(
            Operation("partner_portal.count_unread_notifications", "GET", "/api/v1/partner/notifications/unread-count", answers=("application/json",)),
            {},
            options,
        )

    def read_all_notifications(
        self,
        *,
        category: Literal["programs", "commissions", "payouts", "security"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Mark all notifications as read."""
        return self._call(
            Operation("partner_portal.read_all_notifications", "POST", "/api/v1/partner/notifications/read-all", query=(), answers=("application/json",)),
            {"category": category},
            options,
        )

    def read_notification(
        self,
        *,
        notification_id: str,
        options: CallOptions | None = None,
    ) -> models.NotificationDto:
        """Mark a notification as read."""
        return self._call(
            Operation("partner_portal.read_notification", "POST", "/api/v1/partner/notifications/{notificationId}/read", query=(), answers=("application/json",)),
            {"notificationId": notification_id},
            options,
        )

    def dismiss_read_notifications(
        self,
        *,
        category: Literal["programs", "commissions", "payouts", "security"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CountDto:
        """Dismiss the notifications that this account has read."""
        return self._call(
            Operation("partner_portal.dismiss_read_notifications", "POST", "/api/v1/partner/notifications/dismiss-read", query=(), answers=("application/json",)),
            {"category": category},
            options,
        )

    def dismiss_notification(
        self,
        *,
        notification_id: str,
        options: CallOptions | None = None,
    ) -> models.NotificationDto:
        """Dismiss a notification."""
        return self._call(
            Operation("partner_portal.dismiss_notification", "POST", "/api/v1/partner/notifications/{notificationId}/dismiss", query=(), answers=("application/json",)),
            {"notificationId": notification_id},
            options,
        )


class Partners(Resource):
    def list(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["pending", "approved", "rejected", "suspended", "left"] | NotGiven = NOT_GIVEN,
        group_id: str | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        ids: str | NotGiven = NOT_GIVEN,
        owes: bool | NotGiven = NOT_GIVEN,
        sort_by: Literal["createdAt", "partnerName", "status"] | NotGiven = NOT_GIVEN,
        sort_order: Literal["asc", "desc"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ParticipantDto]:
        """List the participants of a programme."""
        return self._list(
            Operation("partners.list", "GET", "/api/v1/programs/{programId}/partners", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit, "status": status, "groupId": group_id, "search": search, "ids": ids, "owes": owes, "sortBy": sort_by, "sortOrder": sort_order},
            options,
        )

    def add(
        self,
        *,
        program_id: str,
        email: str,
        name: str,
        referral_code: str | None | NotGiven = NOT_GIVEN,
        message: str | None | NotGiven = NOT_GIVEN,
        group_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Add a partner from your server."""
        return self._call(
            Operation("partners.add", "POST", "/api/v1/programs/{programId}/partners", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "email": email, "name": name, "referralCode": referral_code, "message": message, "groupId": group_id},
            options,
        )

    def get(
        self,
        *,
        program_id: str,
        participant_id: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Read a participant."""
        return self._call(
            Operation("partners.get", "GET", "/api/v1/programs/{programId}/partners/{participantId}", answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id},
            options,
        )

    def list_links(
        self,
        *,
        program_id: str,
        participant_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.TrackingLinkDto]:
        """List a participant's links."""
        return self._list(
            Operation("partners.list_links", "GET", "/api/v1/programs/{programId}/partners/{participantId}/links", answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "page": page, "limit": limit},
            options,
        )

    def bulk_move(
        self,
        *,
        program_id: str,
        group_id: str,
        participant_ids: List[str],
        reason: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.BulkMoveDto:
        """Move up to 100 partners to a group."""
        return self._call(
            Operation("partners.bulk_move", "POST", "/api/v1/programs/{programId}/partners/move", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "groupId": group_id, "participantIds": participant_ids, "reason": reason},
            options,
        )

    def move(
        self,
        *,
        program_id: str,
        participant_id: str,
        group_id: str,
        reason: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Move a partner to a group."""
        return self._call(
            Operation("partners.move", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/group", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "groupId": group_id, "reason": reason},
            options,
        )

    def list_groups(
        self,
        *,
        program_id: str,
        participant_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.MembershipDto]:
        """List the groups that a partner was in."""
        return self._list(
            Operation("partners.list_groups", "GET", "/api/v1/programs/{programId}/partners/{participantId}/groups", answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "page": page, "limit": limit},
            options,
        )

    def approve(
        self,
        *,
        program_id: str,
        participant_id: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Approve a pending or rejected participant."""
        return self._call(
            Operation("partners.approve", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/approve", query=(), answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id},
            options,
        )

    def reject(
        self,
        *,
        program_id: str,
        participant_id: str,
        reason: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Reject a pending participant."""
        return self._call(
            Operation("partners.reject", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/reject", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "reason": reason},
            options,
        )

    def suspend(
        self,
        *,
        program_id: str,
        participant_id: str,
        reason: str,
        reject_pending: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Suspend an approved participant."""
        return self._call(
            Operation("partners.suspend", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/suspend", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "reason": reason, "rejectPending": reject_pending},
            options,
        )

    def reinstate(
        self,
        *,
        program_id: str,
        participant_id: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Reinstate a suspended participant."""
        return self._call(
            Operation("partners.reinstate", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/reinstate", query=(), answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id},
            options,
        )

    def add_promo_code(
        self,
        *,
        program_id: str,
        participant_id: str,
        code: str,
        discount: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ParticipantWithCodeDto:
        """Give a promo code to a participant."""
        return self._call(
            Operation("partners.add_promo_code", "POST", "/api/v1/programs/{programId}/partners/{participantId}/promo-codes", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "code": code, "discount": discount},
            options,
        )

    def list_promo_codes(
        self,
        *,
        program_id: str,
        participant_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PromoCodeDto]:
        """List promo codes, and where each works."""
        return self._list(
            Operation("partners.list_promo_codes", "GET", "/api/v1/programs/{programId}/partners/{participantId}/promo-codes", answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "page": page, "limit": limit},
            options,
        )

    def sync_promo_code(
        self,
        *,
        program_id: str,
        participant_id: str,
        code: str,
        options: CallOptions | None = None,
    ) -> models.PromoCodeDto:
        """Have a promo code made at billers once more."""
        return self._call(
            Operation("partners.sync_promo_code", "POST", "/api/v1/programs/{programId}/partners/{participantId}/promo-codes/{code}/sync", query=(), answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "code": code},
            options,
        )

    def remove_promo_code(
        self,
        *,
        program_id: str,
        participant_id: str,
        code: str,
        options: CallOptions | None = None,
    ) -> None:
        """Take a promo code away; it is free again."""
        return self._call(
            Operation("partners.remove_promo_code", "DELETE", "/api/v1/programs/{programId}/partners/{participantId}/promo-codes/{code}", query=(), answers=()),
            {"programId": program_id, "participantId": participant_id, "code": code},
            options,
        )

    def change_referral_code(
        self,
        *,
        program_id: str,
        participant_id: str,
        referral_code: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Set the referral code."""
        return self._call(
            Operation("partners.change_referral_code", "PATCH", "/api/v1/programs/{programId}/partners/{participantId}/referral-code", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "referralCode": referral_code},
            options,
        )

    def list_names(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        ids: str | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ParticipantNameDto]:
        """List the participants of all programmes by name, of the current mode."""
        return self._list(
            Operation("partners.list_names", "GET", "/api/v1/workspace/partners", answers=("application/json",)),
            {"page": page, "limit": limit, "ids": ids, "search": search, "programId": program_id},
            options,
        )

    def invite(
        self,
        *,
        program_id: str,
        email: str,
        name: str | None | NotGiven = NOT_GIVEN,
        group_id: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CreatedPartnerInviteDto:
        """Invite a partner by e-mail."""
        return self._call(
            Operation("partners.invite", "POST", "/api/v1/programs/{programId}/invites", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "email": email, "name": name, "groupId": group_id},
            options,
        )

    def list_invites(
        self,
        *,
        program_id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["pending", "accepted", "expired"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PartnerInviteDto]:
        """List the invites of a programme, newest first."""
        return self._list(
            Operation("partners.list_invites", "GET", "/api/v1/programs/{programId}/invites", answers=("application/json",)),
            {"programId": program_id, "page": page, "limit": limit, "status": status},
            options,
        )

    def get_invite(
        self,
        *,
        program_id: str,
        invite_id: str,
        options: CallOptions | None = None,
    ) -> models.PartnerInviteDto:
        """Read an invite."""
        return self._call(
            Operation("partners.get_invite", "GET", "/api/v1/programs/{programId}/invites/{inviteId}", answers=("application/json",)),
            {"programId": program_id, "inviteId": invite_id},
            options,
        )

    def delete_invite(
        self,
        *,
        program_id: str,
        invite_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Withdraw an invite; its link is dead."""
        return self._call(
            Operation("partners.delete_invite", "DELETE", "/api/v1/programs/{programId}/invites/{inviteId}", query=(), answers=()),
            {"programId": program_id, "inviteId": invite_id},
            options,
        )

    def resend_invite(
        self,
        *,
        program_id: str,
        invite_id: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Send an invite again, with a new link of 14 days."""
        return self._call(
            Operation("partners.resend_invite", "POST", "/api/v1/programs/{programId}/invites/{inviteId}/resend", query=(), answers=("application/json",)),
            {"programId": program_id, "inviteId": invite_id},
            options,
        )

    def preview_invite(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.InvitePreviewDto:
        """Read what an invite is for."""
        return self._call(
            Operation("partners.preview_invite", "POST", "/api/v1/partner/invites/preview", query=(), needs_body=True, answers=("application/json",)),
            {"token": token},
            options,
        )

    def accept_invite(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.ParticipantDto:
        """Take up an invite."""
        return self._call(
            Operation("partners.accept_invite", "POST", "/api/v1/partner/invites/accept", query=(), needs_body=True, answers=("application/json",)),
            {"token": token},
            options,
        )


class Payouts(Resource):
    def list_statement(
        self,
        *,
        year: int,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        month: int | NotGiven = NOT_GIVEN,
        format: Literal["json", "csv"] | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.StatementRowDto]:
        """Read what was owed, moved and is owed, by month."""
        return self._list(
            Operation("payouts.list_statement", "GET", "/api/v1/payouts/statement", answers=("application/json", "text/csv",)),
            {"year": year, "page": page, "limit": limit, "month": month, "format": format, "programId": program_id},
            options,
        )

    def list_statement_entries(
        self,
        *,
        participant_id: str,
        month: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        figure: Literal["paid", "returned", "adjusted"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.StatementEntryDto]:
        """List the ledger entries behind a statement."""
        return self._list(
            Operation("payouts.list_statement_entries", "GET", "/api/v1/payouts/statement/entries", answers=("application/json",)),
            {"participantId": participant_id, "month": month, "page": page, "limit": limit, "programId": program_id, "currency": currency, "figure": figure},
            options,
        )

    def list_ledger(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        participant_id: str | NotGiven = NOT_GIVEN,
        commission_id: str | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        format: Literal["json", "csv"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.LedgerRowDto]:
        """List the entries of the ledger, newest first."""
        return self._list(
            Operation("payouts.list_ledger", "GET", "/api/v1/ledger", answers=("application/json", "text/csv",)),
            {"page": page, "limit": limit, "from": from_, "to": to, "programId": program_id, "participantId": participant_id, "commissionId": commission_id, "type": type, "currency": currency, "format": format},
            options,
        )

    def create(
        self,
        *,
        program_id: str,
        commission_ids: List[str] | NotGiven = NOT_GIVEN,
        require_method: bool | NotGiven = NOT_GIVEN,
        require_confirmed: bool | NotGiven = NOT_GIVEN,
        until: str | NotGiven = NOT_GIVEN,
        reference: str | None | NotGiven = NOT_GIVEN,
        expected: List[Mapping[str, Any]] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CreatedPayoutDto:
        """Take approved commissions into a payout."""
        return self._call(
            Operation("payouts.create", "POST", "/api/v1/payouts", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionIds": commission_ids, "requireMethod": require_method, "requireConfirmed": require_confirmed, "until": until, "reference": reference, "expected": expected},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        status: Literal["processing", "completed", "cancelled"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PayoutDto]:
        """List payouts, newest first."""
        return self._list(
            Operation("payouts.list", "GET", "/api/v1/payouts", answers=("application/json",)),
            {"page": page, "limit": limit, "programId": program_id, "status": status},
            options,
        )

    def preview(
        self,
        *,
        program_id: str,
        commission_ids: List[str] | NotGiven = NOT_GIVEN,
        require_method: bool | NotGiven = NOT_GIVEN,
        require_confirmed: bool | NotGiven = NOT_GIVEN,
        until: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutPreviewDto:
        """See what a payout would take."""
        return self._call(
            Operation("payouts.preview", "POST", "/api/v1/payouts/preview", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "commissionIds": commission_ids, "requireMethod": require_method, "requireConfirmed": require_confirmed, "until": until},
            options,
        )

    def get(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> models.PayoutDetailDto:
        """Read a payout."""
        return self._call(
            Operation("payouts.get", "GET", "/api/v1/payouts/{id}", answers=("application/json",)),
            {"id": id},
            options,
        )

    def export(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> str:
        """Export a payout as CSV, for the bank."""
        return self._call(
            Operation("payouts.export", "GET", "/api/v1/payouts/{id}/export", answers=("text/csv",)),
            {"id": id},
            options,
        )

    def get_participant_balance(
        self,
        *,
        program_id: str,
        participant_id: str,
        at: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.BalancesDto:
        """Read what a partner is owed, by currency."""
        return self._call(
            Operation("payouts.get_participant_balance", "GET", "/api/v1/programs/{programId}/partners/{participantId}/balance", answers=("application/json",)),
            {"programId": program_id, "participantId": participant_id, "at": at},
            options,
        )

    def list_providers(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PayoutProviderDto]:
        """List who can send your payouts."""
        return self._list(
            Operation("payouts.list_providers", "GET", "/api/v1/workspace/payout-providers", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def put_provider(
        self,
        *,
        provider: str,
        client_id: str,
        client_secret: str,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutProviderDto:
        """Connect a provider that sends your payouts."""
        return self._call(
            Operation("payouts.put_provider", "PUT", "/api/v1/workspace/payout-providers/{provider}", query=(), needs_body=True, answers=("application/json",)),
            {"provider": provider, "clientId": client_id, "clientSecret": client_secret, "code": code},
            options,
        )

    def delete_provider(
        self,
        *,
        provider: str,
        options: CallOptions | None = None,
    ) -> None:
        """Disconnect a provider."""
        return self._call(
            Operation("payouts.delete_provider", "DELETE", "/api/v1/workspace/payout-providers/{provider}", query=(), answers=()),
            {"provider": provider},
            options,
        )

    def send(
        self,
        *,
        id: str,
        provider: Literal["paypal"],
        currency: str | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        expected: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
        require_confirmed: bool | NotGiven = NOT_GIVEN,
        confirm_exported: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.SendPreviewDto | models.SentPayoutDto:
        """Send a payout by a provider."""
        return self._call(
            Operation("payouts.send", "POST", "/api/v1/payouts/{id}/send", query=(), needs_body=True, answers=("application/json",)),
            {"id": id, "provider": provider, "currency": currency, "dryRun": dry_run, "expected": expected, "code": code, "requireConfirmed": require_confirmed, "confirmExported": confirm_exported},
            options,
        )

    def list_batches(
        self,
        *,
        id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.PayoutBatchDto]:
        """List what a provider was told of a payout."""
        return self._list(
            Operation("payouts.list_batches", "GET", "/api/v1/payouts/{id}/batches", answers=("application/json",)),
            {"id": id, "page": page, "limit": limit},
            options,
        )

    def ask_batch(
        self,
        *,
        id: str,
        batch_id: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Ask the provider now what became of a batch."""
        return self._call(
            Operation("payouts.ask_batch", "POST", "/api/v1/payouts/{id}/batches/{batchId}/ask", query=(), answers=("application/json",)),
            {"id": id, "batchId": batch_id},
            options,
        )

    def resolve_batch(
        self,
        *,
        id: str,
        batch_id: str,
        provider_batch_id: str | NotGiven = NOT_GIVEN,
        nothing_sent: bool | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutDto:
        """Say what became of a batch of which nobody knows."""
        return self._call(
            Operation("payouts.resolve_batch", "POST", "/api/v1/payouts/{id}/batches/{batchId}/resolve", query=(), needs_body=True, answers=("application/json",)),
            {"id": id, "batchId": batch_id, "providerBatchId": provider_batch_id, "nothingSent": nothing_sent, "code": code},
            options,
        )

    def cancel_unclaimed_item(
        self,
        *,
        id: str,
        item_id: str,
        options: CallOptions | None = None,
    ) -> models.PayoutDto:
        """Take back a payment that the partner has not fetched."""
        return self._call(
            Operation("payouts.cancel_unclaimed_item", "POST", "/api/v1/payouts/{id}/items/{itemId}/cancel-unclaimed", query=(), answers=("application/json",)),
            {"id": id, "itemId": item_id},
            options,
        )

    def complete(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> models.PayoutDto:
        """Report that all items of a payout that are ready were paid."""
        return self._call(
            Operation("payouts.complete", "POST", "/api/v1/payouts/{id}/complete", query=(), answers=("application/json",)),
            {"id": id},
            options,
        )

    def cancel(
        self,
        *,
        id: str,
        confirm_exported: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutDto:
        """Give up all items of a payout that are ready."""
        return self._call(
            Operation("payouts.cancel", "POST", "/api/v1/payouts/{id}/cancel", query=(), answers=("application/json",)),
            {"id": id, "confirmExported": confirm_exported},
            options,
        )

    def mark_item(
        self,
        *,
        id: str,
        item_id: str,
        status: Literal["paid", "failed", "returned", "ready"],
        confirm_checked: bool | NotGiven = NOT_GIVEN,
        transaction_id: str | None | NotGiven = NOT_GIVEN,
        reason: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutDto:
        """Report what became of one item."""
        return self._call(
            Operation("payouts.mark_item", "POST", "/api/v1/payouts/{id}/items/{itemId}/mark", query=(), needs_body=True, answers=("application/json",)),
            {"id": id, "itemId": item_id, "status": status, "confirmChecked": confirm_checked, "transactionId": transaction_id, "reason": reason},
            options,
        )

    def get_file(
        self,
        *,
        id: str,
        format: str,
        currency: str | NotGiven = NOT_GIVEN,
        part: int | NotGiven = NOT_GIVEN,
        source_currency: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> str:
        """Take a file to pay the items with."""
        return self._call(
            Operation("payouts.get_file", "GET", "/api/v1/payouts/{id}/files/{format}", answers=("text/csv",)),
            {"id": id, "format": format, "currency": currency, "part": part, "sourceCurrency": source_currency},
            options,
        )

    def report_results(
        self,
        *,
        id: str,
        body: str,
        dry_run: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PayoutResultsDto:
        """Upload what became of the items."""
        return self._call(
            Operation("payouts.report_results", "POST", "/api/v1/payouts/{id}/results", query=("dryRun",), body_type="text/csv", answers=("application/json",)),
            {"id": id, "body": body, "dryRun": dry_run},
            options,
        )


class Programmes(Resource):
    def create(
        self,
        *,
        name: str,
        website_url: str,
        commission: Mapping[str, Any],
        description: str | None | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        status: Literal["draft", "active", "paused"] | NotGiven = NOT_GIVEN,
        attribution_window_days: int | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | NotGiven = NOT_GIVEN,
        public_applications: bool | NotGiven = NOT_GIVEN,
        hold_days: int | NotGiven = NOT_GIVEN,
        auto_approve: bool | NotGiven = NOT_GIVEN,
        accepted_currencies: List[str] | NotGiven = NOT_GIVEN,
        review_above_cents: int | None | NotGiven = NOT_GIVEN,
        min_payout_cents: int | NotGiven = NOT_GIVEN,
        sales_from: Literal["both", "api", "stripe", "paddle", "polar"] | NotGiven = NOT_GIVEN,
        banned_sources: List[str] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ProgramDto:
        """Create a programme."""
        return self._call(
            Operation("programmes.create", "POST", "/api/v1/programs", query=(), needs_body=True, answers=("application/json",)),
            {"name": name, "websiteUrl": website_url, "commission": commission, "description": description, "currency": currency, "status": status, "attributionWindowDays": attribution_window_days, "approvalMode": approval_mode, "publicApplications": public_applications, "holdDays": hold_days, "autoApprove": auto_approve, "acceptedCurrencies": accepted_currencies, "reviewAboveCents": review_above_cents, "minPayoutCents": min_payout_cents, "salesFrom": sales_from, "bannedSources": banned_sources},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.ProgramDto]:
        """List the programmes of the current mode."""
        return self._list(
            Operation("programmes.list", "GET", "/api/v1/programs", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def get(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.ProgramDto:
        """Read a programme."""
        return self._call(
            Operation("programmes.get", "GET", "/api/v1/programs/{programId}", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def update(
        self,
        *,
        program_id: str,
        description: str | None | NotGiven = NOT_GIVEN,
        currency: str | NotGiven = NOT_GIVEN,
        status: Literal["draft", "active", "paused"] | NotGiven = NOT_GIVEN,
        attribution_window_days: int | NotGiven = NOT_GIVEN,
        approval_mode: Literal["auto", "manual"] | NotGiven = NOT_GIVEN,
        public_applications: bool | NotGiven = NOT_GIVEN,
        hold_days: int | NotGiven = NOT_GIVEN,
        auto_approve: bool | NotGiven = NOT_GIVEN,
        accepted_currencies: List[str] | NotGiven = NOT_GIVEN,
        review_above_cents: int | None | NotGiven = NOT_GIVEN,
        min_payout_cents: int | NotGiven = NOT_GIVEN,
        sales_from: Literal["both", "api", "stripe", "paddle", "polar"] | NotGiven = NOT_GIVEN,
        banned_sources: List[str] | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        website_url: str | NotGiven = NOT_GIVEN,
        commission: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        notify: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ProgramDto:
        """Change a programme."""
        return self._call(
            Operation("programmes.update", "PATCH", "/api/v1/programs/{programId}", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "description": description, "currency": currency, "status": status, "attributionWindowDays": attribution_window_days, "approvalMode": approval_mode, "publicApplications": public_applications, "holdDays": hold_days, "autoApprove": auto_approve, "acceptedCurrencies": accepted_currencies, "reviewAboveCents": review_above_cents, "minPayoutCents": min_payout_cents, "salesFrom": sales_from, "bannedSources": banned_sources, "name": name, "websiteUrl": website_url, "commission": commission, "notify": notify},
            options,
        )

    def archive(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.ProgramDto:
        """Archive a programme, for good."""
        return self._call(
            Operation("programmes.archive", "POST", "/api/v1/programs/{programId}/archive", query=(), answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def get_commission_rules(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.CommissionRulesDto:
        """Read the commission rules, in order."""
        return self._call(
            Operation("programmes.get_commission_rules", "GET", "/api/v1/programs/{programId}/commission-rules", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def replace_commission_rules(
        self,
        *,
        program_id: str,
        rules: List[Mapping[str, Any]],
        notify: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.CommissionRulesDto:
        """Replace the commission rules."""
        return self._call(
            Operation("programmes.replace_commission_rules", "PUT", "/api/v1/programs/{programId}/commission-rules", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "rules": rules, "notify": notify},
            options,
        )

    def back_test_commission_rules(
        self,
        *,
        program_id: str,
        rules: List[Mapping[str, Any]] | NotGiven = NOT_GIVEN,
        commission: Mapping[str, Any] | NotGiven = NOT_GIVEN,
        groups: List[Mapping[str, Any]] | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.TermsBackTestDto:
        """Try terms on the sales of a period."""
        return self._call(
            Operation("programmes.back_test_commission_rules", "POST", "/api/v1/programs/{programId}/commission-rules/back-test", query=(), answers=("application/json",)),
            {"programId": program_id, "rules": rules, "commission": commission, "groups": groups, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def get_public(
        self,
        *,
        program_id: str,
        group: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PublicProgramDto:
        """Read an active programme that takes applications."""
        return self._call(
            Operation("programmes.get_public", "GET", "/api/v1/public/programs/{programId}", answers=("application/json",)),
            {"programId": program_id, "group": group},
            options,
        )


class SignIn(Resource):
    def register_merchant(
        self,
        *,
        email: str,
        password: str,
        name: str,
        workspace_name: str,
        options: CallOptions | None = None,
    ) -> models.MerchantRegistrationDto:
        """Register a merchant with a new workspace."""
        return self._call(
            Operation("sign_in.register_merchant", "POST", "/api/v1/auth/merchant/register", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password, "name": name, "workspaceName": workspace_name},
            options,
        )

    def register_partner(
        self,
        *,
        email: str,
        password: str,
        name: str,
        options: CallOptions | None = None,
    ) -> models.PartnerSessionDto:
        """Register a partner."""
        return self._call(
            Operation("sign_in.register_partner", "POST", "/api/v1/auth/partner/register", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password, "name": name},
            options,
        )

    def claim_partner_account(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> models.PartnerSessionDto:
        """Claim an account that a merchant made for you."""
        return self._call(
            Operation("sign_in.claim_partner_account", "POST", "/api/v1/auth/partner/claim", query=(), needs_body=True, answers=("application/json",)),
            {"token": token, "password": password},
            options,
        )

    def accept_member_invite(
        self,
        *,
        token: str,
        name: str,
        password: str,
        options: CallOptions | None = None,
    ) -> models.MerchantSessionDto:
        """Accept an invite to a workspace."""
        return self._call(
            Operation("sign_in.accept_member_invite", "POST", "/api/v1/auth/merchant/accept-invite", query=(), needs_body=True, answers=("application/json",)),
            {"token": token, "name": name, "password": password},
            options,
        )

    def login_merchant(
        self,
        *,
        email: str,
        password: str,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.MerchantSessionDto:
        """Sign a merchant in."""
        return self._call(
            Operation("sign_in.login_merchant", "POST", "/api/v1/auth/merchant/login", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password, "code": code},
            options,
        )

    def refresh_merchant(
        self,
        *,
        refresh_token: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.MerchantSessionDto:
        """Get new tokens for a merchant."""
        return self._call(
            Operation("sign_in.refresh_merchant", "POST", "/api/v1/auth/merchant/refresh", query=(), answers=("application/json",)),
            {"refreshToken": refresh_token},
            options,
        )

    def logout_merchant(
        self,
        *,
        refresh_token: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> None:
        """End a merchant's session."""
        return self._call(
            Operation("sign_in.logout_merchant", "POST", "/api/v1/auth/merchant/logout", query=(), answers=()),
            {"refreshToken": refresh_token},
            options,
        )

    def login_partner(
        self,
        *,
        email: str,
        password: str,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PartnerSessionDto:
        """Sign a partner in."""
        return self._call(
            Operation("sign_in.login_partner", "POST", "/api/v1/auth/partner/login", query=(), needs_body=True, answers=("application/json",)),
            {"email": email, "password": password, "code": code},
            options,
        )

    def refresh_partner(
        self,
        *,
        refresh_token: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PartnerSessionDto:
        """Get new tokens for a partner."""
        return self._call(
            Operation("sign_in.refresh_partner", "POST", "/api/v1/auth/partner/refresh", query=(), answers=("application/json",)),
            {"refreshToken": refresh_token},
            options,
        )

    def logout_partner(
        self,
        *,
        refresh_token: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> None:
        """End a partner's session."""
        return self._call(
            Operation("sign_in.logout_partner", "POST", "/api/v1/auth/partner/logout", query=(), answers=()),
            {"refreshToken": refresh_token},
            options,
        )

    def forgot_password_merchant(
        self,
        *,
        email: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Send a merchant a link to reset the password."""
        return self._call(
            Operation("sign_in.forgot_password_merchant", "POST", "/api/v1/auth/merchant/forgot-password", query=(), needs_body=True, answers=("application/json",)),
            {"email": email},
            options,
        )

    def reset_password_merchant(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Set a merchant's password by the token of a reset mail."""
        return self._call(
            Operation("sign_in.reset_password_merchant", "POST", "/api/v1/auth/merchant/reset-password", query=(), needs_body=True, answers=()),
            {"token": token, "password": password},
            options,
        )

    def forgot_password_partner(
        self,
        *,
        email: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Send a partner a link to reset the password."""
        return self._call(
            Operation("sign_in.forgot_password_partner", "POST", "/api/v1/auth/partner/forgot-password", query=(), needs_body=True, answers=("application/json",)),
            {"email": email},
            options,
        )

    def reset_password_partner(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Set a partner's password by the token of a reset mail."""
        return self._call(
            Operation("sign_in.reset_password_partner", "POST", "/api/v1/auth/partner/reset-password", query=(), needs_body=True, answers=()),
            {"token": token, "password": password},
            options,
        )

    def verify_email(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Verify an e-mail address by the token of the mail."""
        return self._call(
            Operation("sign_in.verify_email", "POST", "/api/v1/auth/email/verify", query=(), needs_body=True, answers=("application/json",)),
            {"token": token},
            options,
        )

    def refuse_email(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> None:
        """Say by the token of the mail that an account with your address is not yours."""
        return self._call(
            Operation("sign_in.refuse_email", "POST", "/api/v1/auth/email/refuse", query=(), needs_body=True, answers=()),
            {"token": token},
            options,
        )


class Stripe(Resource):
    def get_connection(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.StripeConnectionDto:
        """Read the connection to Stripe."""
        return self._call(
            Operation("stripe.get_connection", "GET", "/api/v1/workspace/stripe", answers=("application/json",)),
            {},
            options,
        )

    def put_connection(
        self,
        *,
        restricted_key: str | NotGiven = NOT_GIVEN,
        webhook_secret: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.StripeConnectionDto:
        """Connect to Stripe."""
        return self._call(
            Operation("stripe.put_connection", "PUT", "/api/v1/workspace/stripe", query=(), needs_body=True, answers=("application/json",)),
            {"restrictedKey": restricted_key, "webhookSecret": webhook_secret},
            options,
        )

    def delete_connection(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Disconnect from Stripe."""
        return self._call(
            Operation("stripe.delete_connection", "DELETE", "/api/v1/workspace/stripe", query=(), answers=()),
            {},
            options,
        )

    def list_events(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["received", "retrying", "processed", "ignored", "waiting", "failed"] | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        object_id: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.StripeEventDto]:
        """List Stripe's events."""
        return self._list(
            Operation("stripe.list_events", "GET", "/api/v1/workspace/stripe/events", answers=("application/json",)),
            {"page": page, "limit": limit, "status": status, "type": type, "objectId": object_id, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def replay_event(
        self,
        *,
        event_id: str,
        options: CallOptions | None = None,
    ) -> models.EmptyDto:
        """Process one of Stripe's events again."""
        return self._call(
            Operation("stripe.replay_event", "POST", "/api/v1/workspace/stripe/events/{eventId}/replay", query=(), answers=("application/json",)),
            {"eventId": event_id},
            options,
        )


class TestMode(Resource):
    def list_notification_log(
        self,
        *,
        status: Literal["suppressed", "redirected", "throttled", "delivered"] | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        recipient: str | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        page_size: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.NotificationLogDto]:
        """List the mails that test mode kept back."""
        return self._list(
            Operation("test_mode.list_notification_log", "GET", "/api/v1/workspace/notification-log", answers=("application/json",), size="pageSize"),
            {"status": status, "from": from_, "to": to, "recipient": recipient, "type": type, "page": page, "pageSize": page_size},
            options,
        )

    def get_notification_log_entry(
        self,
        *,
        entry_id: str,
        options: CallOptions | None = None,
    ) -> models.NotificationLogDetailDto:
        """Read one mail that test mode kept back."""
        return self._call(
            Operation("test_mode.get_notification_log_entry", "GET", "/api/v1/workspace/notification-log/{entryId}", answers=("application/json",)),
            {"entryId": entry_id},
            options,
        )

    def reset_test_data(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.ResetDoneDto | models.ResetQueuedDto:
        """Delete all test data of the workspace."""
        return self._call(
            Operation("test_mode.reset_test_data", "DELETE", "/api/v1/workspace/test-data", query=(), answers=("application/json",)),
            {},
            options,
        )

    def get_test_data_reset(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.ResetDto:
        """How far the last reset of test data has come."""
        return self._call(
            Operation("test_mode.get_test_data_reset", "GET", "/api/v1/workspace/test-data/reset", answers=("application/json",)),
            {},
            options,
        )


class Tiers(Resource):
    def get(
        self,
        *,
        program_id: str,
        options: CallOptions | None = None,
    ) -> models.TiersDto:
        """Read the steps of a programme."""
        return self._call(
            Operation("tiers.get", "GET", "/api/v1/programs/{programId}/tiers", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def replace(
        self,
        *,
        program_id: str,
        metric: Literal["customers", "conversions", "revenue"],
        steps: List[Mapping[str, Any]],
        window: Literal["lifetime"] | NotGiven = NOT_GIVEN,
        demote: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.TiersDto:
        """Replace the steps of a programme."""
        return self._call(
            Operation("tiers.replace", "PUT", "/api/v1/programs/{programId}/tiers", query=(), needs_body=True, answers=("application/json",)),
            {"programId": program_id, "metric": metric, "steps": steps, "window": window, "demote": demote},
            options,
        )


class Tracking(Resource):
    def record_click(
        self,
        *,
        ref: str,
        key: str | None | NotGiven = NOT_GIVEN,
        url: str | None | NotGiven = NOT_GIVEN,
        referrer: str | None | NotGiven = NOT_GIVEN,
        visitor_token: str | None | NotGiven = NOT_GIVEN,
        user_agent: str | None | NotGiven = NOT_GIVEN,
        ip: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.ClickAnswerDto:
        """Record a click."""
        return self._call(
            Operation("tracking.record_click", "POST", "/v1/clicks", query=(), needs_body=True, answers=("application/json",)),
            {"ref": ref, "key": key, "url": url, "referrer": referrer, "visitor_token": visitor_token, "user_agent": user_agent, "ip": ip},
            options,
        )

    def get_click(
        self,
        *,
        click_id: str,
        options: CallOptions | None = None,
    ) -> models.ClickDto:
        """One click."""
        return self._call(
            Operation("tracking.get_click", "GET", "/api/v1/attribution/clicks/{clickId}", answers=("application/json",)),
            {"clickId": click_id},
            options,
        )

    def expire_click(
        self,
        *,
        click_id: str,
        options: CallOptions | None = None,
    ) -> models.ClickDto:
        """End a test click's attribution window now."""
        return self._call(
            Operation("tracking.expire_click", "POST", "/api/v1/attribution/clicks/{clickId}/expire", query=(), answers=("application/json",)),
            {"clickId": click_id},
            options,
        )


class Webhooks(Resource):
    def create(
        self,
        *,
        url: str,
        events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]],
        description: str | None | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.WebhookWithSecretDto:
        """Create a webhook endpoint."""
        return self._call(
            Operation("webhooks.create", "POST", "/api/v1/webhooks", query=(), needs_body=True, answers=("application/json",)),
            {"url": url, "events": events, "description": description},
            options,
        )

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.WebhookDto]:
        """List the webhook endpoints of the current mode."""
        return self._list(
            Operation("webhooks.list", "GET", "/api/v1/webhooks", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def get(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> models.WebhookDto:
        """Read a webhook endpoint."""
        return self._call(
            Operation("webhooks.get", "GET", "/api/v1/webhooks/{id}", answers=("application/json",)),
            {"id": id},
            options,
        )

    def delete(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a webhook endpoint."""
        return self._call(
            Operation("webhooks.delete", "DELETE", "/api/v1/webhooks/{id}", query=(), answers=()),
            {"id": id},
            options,
        )

    def update(
        self,
        *,
        id: str,
        url: str | NotGiven = NOT_GIVEN,
        events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]] | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        active: bool | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.WebhookDto:
        """Update a webhook endpoint."""
        return self._call(
            Operation("webhooks.update", "PATCH", "/api/v1/webhooks/{id}", query=(), needs_body=True, answers=("application/json",)),
            {"id": id, "url": url, "events": events, "description": description, "active": active},
            options,
        )

    def rotate_secret(
        self,
        *,
        id: str,
        overlap_hours: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.WebhookWithSecretDto:
        """Rotate the signing secret."""
        return self._call(
            Operation("webhooks.rotate_secret", "POST", "/api/v1/webhooks/{id}/rotate-secret", query=(), answers=("application/json",)),
            {"id": id, "overlapHours": overlap_hours},
            options,
        )

    def ping(
        self,
        *,
        id: str,
        event_type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.PingResultDto:
        """Send a test event now."""
        return self._call(
            Operation("webhooks.ping", "POST", "/api/v1/webhooks/{id}/test-ping", query=(), answers=("application/json",)),
            {"id": id, "eventType": event_type},
            options,
        )

    def list_deliveries(
        self,
        *,
        id: str,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["pending", "retrying", "succeeded", "dead_letter", "cancelled"] | NotGiven = NOT_GIVEN,
        event_type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"] | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.DeliveryDto]:
        """List the deliveries of an endpoint."""
        return self._list(
            Operation("webhooks.list_deliveries", "GET", "/api/v1/webhooks/{id}/deliveries", answers=("application/json",)),
            {"id": id, "page": page, "limit": limit, "status": status, "eventType": event_type, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def get_delivery(
        self,
        *,
        id: str,
        delivery_id: str,
        options: CallOptions | None = None,
    ) -> models.DeliveryDetailDto:
        """Read a delivery with its payload, the last answer and all attempts."""
        return self._call(
            Operation("webhooks.get_delivery", "GET", "/api/v1/webhooks/{id}/deliveries/{deliveryId}", answers=("application/json",)),
            {"id": id, "deliveryId": delivery_id},
            options,
        )

    def retry_dead_letters(
        self,
        *,
        id: str,
        since: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.RequeuedDto:
        """Queue all dead letters of an endpoint again."""
        return self._call(
            Operation("webhooks.retry_dead_letters", "POST", "/api/v1/webhooks/{id}/deliveries/retry-dead-letters", query=(), answers=("application/json",)),
            {"id": id, "since": since},
            options,
        )

    def retry_delivery(
        self,
        *,
        id: str,
        delivery_id: str,
        options: CallOptions | None = None,
    ) -> models.DeliveryDto:
        """Queue a dead letter again."""
        return self._call(
            Operation("webhooks.retry_delivery", "POST", "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", query=(), answers=("application/json",)),
            {"id": id, "deliveryId": delivery_id},
            options,
        )

    def replay_delivery(
        self,
        *,
        id: str,
        delivery_id: str,
        options: CallOptions | None = None,
    ) -> models.DeliveryDto:
        """Send the event of a delivery again."""
        return self._call(
            Operation("webhooks.replay_delivery", "POST", "/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay", query=(), answers=("application/json",)),
            {"id": id, "deliveryId": delivery_id},
            options,
        )

    def list_events(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"] | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.EventDto]:
        """List the events of the last 30 days."""
        return self._list(
            Operation("webhooks.list_events", "GET", "/api/v1/events", answers=("application/json",)),
            {"page": page, "limit": limit, "type": type, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def get_event(
        self,
        *,
        id: str,
        options: CallOptions | None = None,
    ) -> models.EventDto:
        """Read an event of the last 30 days."""
        return self._call(
            Operation("webhooks.get_event", "GET", "/api/v1/events/{id}", answers=("application/json",)),
            {"id": id},
            options,
        )


class Workspace(Resource):
    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.WorkspaceDto:
        """Read your workspace."""
        return self._call(
            Operation("workspace.get", "GET", "/api/v1/workspace", answers=("application/json",)),
            {},
            options,
        )

    def update(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        test_email_redirect: str | None | NotGiven = NOT_GIVEN,
        require_two_factor: bool | NotGiven = NOT_GIVEN,
        payout_daily_limits: List[Mapping[str, Any]] | NotGiven = NOT_GIVEN,
        payout_approval: Literal["one", "two"] | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.WorkspaceDto:
        """Change your workspace."""
        return self._call(
            Operation("workspace.update", "PATCH", "/api/v1/workspace", query=(), needs_body=True, answers=("application/json",)),
            {"name": name, "testEmailRedirect": test_email_redirect, "requireTwoFactor": require_two_factor, "payoutDailyLimits": payout_daily_limits, "payoutApproval": payout_approval, "code": code},
            options,
        )

    def close(
        self,
        *,
        confirmation: Literal["DELETE"],
        password: str,
        options: CallOptions | None = None,
    ) -> models.WorkspaceDto:
        """Close your workspace."""
        return self._call(
            Operation("workspace.close", "DELETE", "/api/v1/workspace", query=(), needs_body=True, answers=("application/json",)),
            {"confirmation": confirmation, "password": password},
            options,
        )

    def reopen(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.WorkspaceDto:
        """Take the closing of your workspace back."""
        return self._call(
            Operation("workspace.reopen", "POST", "/api/v1/workspace/reopen", query=(), answers=("application/json",)),
            {},
            options,
        )

    def get_tracking(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.TrackingDto:
        """Whether tracking works."""
        return self._call(
            Operation("workspace.get_tracking", "GET", "/api/v1/workspace/tracking", answers=("application/json",)),
            {},
            options,
        )

    def list_audit_log(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        actor: str | NotGiven = NOT_GIVEN,
        action: str | NotGiven = NOT_GIVEN,
        date_from: str | NotGiven = NOT_GIVEN,
        date_to: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.AuditEntryDto]:
        """Read the audit log."""
        return self._list(
            Operation("workspace.list_audit_log", "GET", "/api/v1/workspace/audit-log", answers=("application/json",)),
            {"page": page, "limit": limit, "actor": actor, "action": action, "dateFrom": date_from, "dateTo": date_to},
            options,
        )

    def list_suppressed_addresses(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.SuppressedAddressDto]:
        """List addresses that no mail is sent to."""
        return self._list(
            Operation("workspace.list_suppressed_addresses", "GET", "/api/v1/workspace/suppressed-addresses", answers=("application/json",)),
            {"page": page, "limit": limit},
            options,
        )

    def lift_suppressed_address(
        self,
        *,
        suppression_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Send mail to an address again."""
        return self._call(
            Operation("workspace.lift_suppressed_address", "DELETE", "/api/v1/workspace/suppressed-addresses/{suppressionId}", query=(), answers=()),
            {"suppressionId": suppression_id},
            options,
        )

    def get_inbox(
        self,
        *,
        program_id: str | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> models.InboxDto:
        """Count what waits for you, of the current mode."""
        return self._call(
            Operation("workspace.get_inbox", "GET", "/api/v1/workspace/inbox", answers=("application/json",)),
            {"programId": program_id},
            options,
        )

    def list_inbox_places(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        program_id: str | NotGiven = NOT_GIVEN,
        kind: Literal["applications", "review", "fraudFlags", "payoutsProcessing", "payoutAttention", "debts", "deadLetters"] | NotGiven = NOT_GIVEN,
        options: CallOptions | None = None,
    ) -> Paged[models.InboxPlaceDto]:
        """List where something waits for you, of the current mode."""
        return self._list(
            Operation("workspace.list_inbox_places", "GET", "/api/v1/workspace/inbox/places", answers=("application/json",)),
            {"page": page, "limit": limit, "programId": program_id, "kind": kind},
            options,
        )


class Resources:
    """One resource for each group of the API."""

    def __init__(self, send: Send) -> None:
        self.analytics = Analytics(send)
        self.api_keys = ApiKeys(send)
        self.attribution = Attribution(send)
        self.billers = Billers(send)
        self.bonuses = Bonuses(send)
        self.commissions = Commissions(send)
        self.conversions = Conversions(send)
        self.customers = Customers(send)
        self.erasure = Erasure(send)
        self.fraud = Fraud(send)
        self.groups = Groups(send)
        self.imports = Imports(send)
        self.members = Members(send)
        self.notifications = Notifications(send)
        self.own_account = OwnAccount(send)
        self.partner_account = PartnerAccount(send)
        self.partner_portal = PartnerPortal(send)
        self.partners = Partners(send)
        self.payouts = Payouts(send)
        self.programmes = Programmes(send)
        self.sign_in = SignIn(send)
        self.stripe = Stripe(send)
        self.test_mode = TestMode(send)
        self.tiers = Tiers(send)
        self.tracking = Tracking(send)
        self.webhooks = Webhooks(send)
        self.workspace = Workspace(send)
