# Written by `npm run openapi` from the OpenAPI document. Do not edit.
from __future__ import annotations

from typing import Any, List, Literal, Mapping, Union

from ..records import Record


class AcceptMemberInviteBody(Record):
    token: str
    name: str
    password: str


class AcceptPartnerInviteBody(Record):
    token: str


class AccountExportDto(Record):
    account: ExportedAccountDto
    balances: List[ExportedBalanceDto]
    sessions: List[ExportedSessionDto]
    preferences: List[ExportedPreferenceDto]
    notices: List[ExportedNoticeDto]
    mails: List[ExportedMailDto]
    invites: List[ExportedInviteDto]
    networks: List[ExportedNetworkDto]
    programs: List[ExportedProgramDto]


class ActionCountDto(Record):
    action: Literal["off", "flag", "hold", "reject"]
    count: int


class AddPartnerBody(Record):
    email: str
    name: str
    referral_code: str | None
    message: str | None
    group_id: str | None


class AdjustmentBody(Record):
    amount_cents: int
    kind: Literal["adjustment", "write_off"] | None
    currency: str | None
    reason: str
    external_id: str | None


class AmountDto(Record):
    currency: str
    amount_cents: int


class AnnouncedDto(Record):
    dry_run: bool
    count: int
    mail: AnnouncedMailDto | None


class AnnouncedMailDto(Record):
    subject: str
    text: str


class AnnounceImportBody(Record):
    message: str | None
    dry_run: bool | None


class ApiKeyDto(Record):
    id: str
    kind: Literal["public", "secret", "management"]
    mode: Literal["test", "live"]
    name: str | None
    role: Literal["viewer", "member", "admin"] | None
    program_id: str | None
    prefix: str
    last4: str
    created_by: KeyMakerDto | None
    created_at: str
    last_used_at: str | None
    revoked_at: str | None
    key: str | None


class ApplicationBody(Record):
    message: str | None
    referral_code: str | None
    group_id: str | None


class ApplyImportBody(Record):
    expected: List[ExpectedSumDto]


class ApproveOverrideBody(Record):
    reason: str


class AttributionDto(Record):
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    explanation: str
    matched_by: Literal["click", "promo_code", "customer", "import"] | None
    click_id: str | None
    promo_code: str | None
    program_id: str | None
    participant_id: str | None
    window_ends_at: str | None


class AuditActorDto(Record):
    type: Literal["member", "partner", "operator", "api_key", "system", "processor"]
    id: str | None
    email: str | None


class AuditEntryDto(Record):
    id: str
    created_at: str
    actor: AuditActorDto
    action: str
    target: AuditTargetDto
    from_: str | None
    to: str | None
    request_id: str | None


class AuditTargetDto(Record):
    type: str
    id: str | None


class BackTestBody(Record):
    rules: List[FraudRuleBody]
    from_: str
    to: str


class BackTestDto(Record):
    conversions: int
    by_rule: List[RuleHitsDto]
    by_action: List[ActionCountDto]


class BalanceDto(Record):
    currency: str
    pending_cents: int
    approved_cents: int
    in_payout_cents: int
    paid_cents: int
    imported_cents: int
    paid_elsewhere_cents: int
    debt_cents: int


class BalancesDto(Record):
    balances: List[BalanceDto]


class BatchOutcomeDto(Record):
    outcome: Literal["sending", "released", "paid", "failed", "returned"]
    items: int
    amount_cents: int


class BillerConnectionDto(Record):
    connection_id: str
    mode: Literal["test", "live"]
    status: Literal["not_connected", "connected", "error"]
    url: str
    has_webhook_secret: bool
    last_event_at: str | None
    last_event_type: str | None
    last_error: str | None
    has_api_key: bool
    missing_kinds: List[str]


class BillerEventDto(Record):
    id: str
    type: str
    object_id: str | None
    status: Literal["received", "retrying", "processed", "ignored", "waiting", "failed"]
    error: str | None
    attempts: int
    received_at: str
    processed_at: str | None
    biller: Literal["paddle", "polar"]
    biller_event_id: str | None
    recovered: bool


class BindCustomerBody(Record):
    participant_id: str
    reason: str


class BonusDto(Record):
    id: str
    name: str
    metric: Literal["customers", "conversions", "revenue"]
    at_least: int
    window: BonusWindowDto
    amount_cents: int
    currency: str
    group_ids: List[str] | None
    hold_days: int | None
    auto_approve: bool | None
    reached: int


class BonusesBody(Record):
    bonuses: List[GivenBonusBody]
    expected_reached: int | None


class BonusesDto(Record):
    bonuses: List[BonusDto]


class BonusWindowBody(Record):
    from_: str | None
    to: str | None


class BonusWindowDto(Record):
    from_: str | None
    to: str | None


class BulkAllFailedDto(Record):
    status_code: int
    message: str
    error: str
    code: Literal["BULK_ALL_FAILED"]
    details: List[ErrorDetailDto] | None
    results: List[BulkItemDto] | None


class BulkApproveBody(Record):
    commission_ids: List[str]


class BulkItemDto(Record):
    commission_id: str
    ok: bool
    status: Literal["pending", "approved", "rejected", "paid", "refunded"] | None
    code: str | None
    message: str | None


class BulkMoveBody(Record):
    group_id: str
    reason: str | None
    participant_ids: List[str]


class BulkMoveDto(Record):
    succeeded: int
    failed: int
    results: List[MovedDto]


class BulkMoveFailedDto(Record):
    status_code: int
    message: str
    error: str
    code: Literal["BULK_ALL_FAILED"]
    details: List[ErrorDetailDto] | None
    results: List[MovedDto] | None


class BulkRejectBody(Record):
    commission_ids: List[str]
    reason: str


class BulkResultDto(Record):
    succeeded: int
    failed: int
    results: List[BulkItemDto]


class CancelPayoutBody(Record):
    confirm_exported: bool | None


class CandidateDto(Record):
    signal: Literal["click", "promo_code", "customer"]
    outcome: Literal["HOLDS", "ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    program: TracedProgramDto | None
    participant: TracedParticipantDto | None
    window: WindowDto | None
    customer: TracedCustomerDto | None


class ChangeDto(Record):
    revenue: float | None
    clicks: float | None
    conversions: float | None
    conversion_rate: float | None


class ChangeEmailBody(Record):
    email: str
    password: str


class ChangeImportBody(Record):
    cutover: str | None
    currency: str | None
    only: List[str] | None
    group_by: Literal["campaign", "campaign_and_commission"] | None
    mapping: Any | None
    statuses: Any | None


class ChangePasswordBody(Record):
    current_password: str
    new_password: str


class ChangeRoleBody(Record):
    role: Literal["viewer", "member", "admin", "owner"]


class ClickAnswerDto(Record):
    click_id: str | None
    recorded: bool
    visitor_token: str | None
    expires_at: str | None
    reason: Literal["unknown_ref", "bot"] | None


class ClickBody(Record):
    key: str | None
    ref: str
    url: str | None
    referrer: str | None
    visitor_token: str | None
    user_agent: str | None
    ip: str | None


class ClickDto(Record):
    id: str
    mode: Literal["test", "live"]
    program_id: str
    participant_id: str
    link_id: str
    visitor_id: str
    creditable: bool
    url: str | None
    referrer: str | None
    user_agent: str | None
    created_at: str
    expires_at: str


class CloseWorkspaceBody(Record):
    confirmation: Literal["DELETE"]
    password: str


class CodeAtBillerDto(Record):
    biller: Literal["stripe", "paddle", "polar"]
    status: Literal["pending", "made", "failed", "deleted"]
    external_id: str | None
    message: str | None


class CommissionActorDto(Record):
    type: Literal["member", "partner", "operator", "api_key", "system", "processor"]
    id: str | None


class CommissionAmountDto(Record):
    currency: str
    amount_cents: int


class CommissionApprovedEvent(Record):
    id: str
    type: Literal["commission.approved"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionApprovedEventData


class CommissionApprovedEventData(Record):
    object: EventCommissionDto


class CommissionCreatedEvent(Record):
    id: str
    type: Literal["commission.created"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionCreatedEventData


class CommissionCreatedEventData(Record):
    object: EventCommissionDto


class CommissionDetailDto(Record):
    id: str
    program_id: str
    program_name: str
    participant_id: str
    partner_name: str
    conversion_id: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    adjustment_reason: str | None
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    fee_cents: int | None
    terms: PinnedTermsDto | None
    needs_review: bool
    hold_until: str | None
    hold_active: bool
    rejection_reason: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    payout_id: str | None
    created_at: str
    updated_at: str
    external_transaction_id: str | None
    review_reasons: List[Literal["FEE_UNKNOWN", "FRAUD_SUSPECTED", "DISPUTED", "CURRENCY_MISMATCH", "AMOUNT_OVER_LIMIT", "ITEMS_UNKNOWN", "PARTNER_SUSPENDED", "POSSIBLE_DUPLICATE"]]
    override_reason: str | None
    decided_by: CommissionActorDto | None
    history: List[HistoryEntryDto]
    ledger: List[LedgerEntryDto]


class CommissionDto(Record):
    id: str
    program_id: str
    program_name: str
    participant_id: str
    partner_name: str
    conversion_id: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    adjustment_reason: str | None
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    fee_cents: int | None
    terms: PinnedTermsDto | None
    needs_review: bool
    hold_until: str | None
    hold_active: bool
    rejection_reason: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    payout_id: str | None
    created_at: str
    updated_at: str
    external_transaction_id: str | None
    review_reasons: List[Literal["FEE_UNKNOWN", "FRAUD_SUSPECTED", "DISPUTED", "CURRENCY_MISMATCH", "AMOUNT_OVER_LIMIT", "ITEMS_UNKNOWN", "PARTNER_SUSPENDED", "POSSIBLE_DUPLICATE"]]
    override_reason: str | None
    decided_by: CommissionActorDto | None


class CommissionPaidEvent(Record):
    id: str
    type: Literal["commission.paid"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionPaidEventData


class CommissionPaidEventData(Record):
    object: EventCommissionDto


class CommissionRefundedEvent(Record):
    id: str
    type: Literal["commission.refunded"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionRefundedEventData


class CommissionRefundedEventData(Record):
    object: EventCommissionDto


class CommissionRejectedEvent(Record):
    id: str
    type: Literal["commission.rejected"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionRejectedEventData


class CommissionRejectedEventData(Record):
    object: EventCommissionDto


class CommissionRuleDto(Record):
    name: str
    match: RuleMatchDto
    type: Literal["percentage", "flat", "none"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    hold_days: int | None
    auto_approve: bool | None


class CommissionRulesDto(Record):
    rules: List[CommissionRuleDto]


class CommissionStatsDto(Record):
    count: int
    needs_review_count: int
    by_status: StatusBreakdownDto
    totals: List[CommissionAmountDto]


class CommissionTermsBody(Record):
    type: Literal["percentage", "flat"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    recurring: bool | None
    recurring_months: int | None


class CommissionTermsDto(Record):
    type: Literal["percentage", "flat"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    recurring: bool
    recurring_months: int | None


class CommissionUpdatedEvent(Record):
    id: str
    type: Literal["commission.updated"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: CommissionUpdatedEventData


class CommissionUpdatedEventData(Record):
    object: EventCommissionDto


class ConfirmedCodeBody(Record):
    password: str
    code: str


class ConversionBody(Record):
    external_transaction_id: str
    event_type: str
    click_id: str | None
    promo_code: str | None
    amount_cents: int | None
    currency: str | None
    occurred_at: str | None
    prospect_email: str | None
    customer_id: str | None
    metadata: Any | None
    items: List[ConversionItemBody] | None


class ConversionCommissionDto(Record):
    id: str
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    amount_cents: int
    currency: str
    hold_until: str | None
    needs_review: bool


class ConversionCreatedEvent(Record):
    id: str
    type: Literal["conversion.created"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ConversionCreatedEventData


class ConversionCreatedEventData(Record):
    object: EventConversionDto


class ConversionDto(Record):
    id: str
    external_transaction_id: str
    attributed: bool
    attribution: AttributionDto
    commission: ConversionCommissionDto | None
    event_type: str
    amount_cents: int
    currency: str | None
    occurred_at: str
    customer_id: str | None
    metadata: Any | None
    items: List[ConversionItemDto] | None
    source: Literal["api", "stripe", "paddle", "polar", "import"]
    refunded_amount_cents: int
    mode: Literal["test", "live"]
    created_at: str


class ConversionFraudDetectedEvent(Record):
    id: str
    type: Literal["conversion.fraud_detected"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ConversionFraudDetectedEventData


class ConversionFraudDetectedEventData(Record):
    object: EventFraudConversionDto


class ConversionItemBody(Record):
    product_id: str
    price_id: str | None
    amount_cents: int | None
    quantity: int | None


class ConversionItemDto(Record):
    product_id: str
    price_id: str | None
    amount_cents: int | None
    quantity: int | None


class ConversionRefundedEvent(Record):
    id: str
    type: Literal["conversion.refunded"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ConversionRefundedEventData


class ConversionRefundedEventData(Record):
    object: EventConversionDto


class CountDto(Record):
    count: int


class CreateApiKeyBody(Record):
    kind: Literal["public", "secret", "management"]
    mode: Literal["test", "live"]
    name: str | None
    role: Literal["viewer", "member", "admin"] | None
    program_id: str | None


class CreatedPartnerInviteDto(Record):
    id: str
    invite_url: str
    expires_at: str


class CreatedPayoutDto(Record):
    id: str
    program_id: str
    status: Literal["processing", "completed", "cancelled"]
    reference: str | None
    items: List[PayoutItemDetailDto]
    created_at: str
    completed_at: str | None
    cancelled_at: str | None
    progress: PayoutProgressDto
    remaining: int


class CreateGroupBody(Record):
    description: str | None
    commission: CommissionTermsBody | None
    hold_days: int | None
    auto_approve: bool | None
    public_applications: bool | None
    approval_mode: Literal["auto", "manual"] | None
    name: str


class CreateImportBody(Record):
    source: Literal["rewardful", "tolt", "firstpromoter", "csv"]
    credentials: Any | None
    name: str | None
    cutover: str
    currency: str | None
    only: List[str] | None
    group_by: Literal["campaign", "campaign_and_commission"] | None
    mapping: Any | None
    statuses: Any | None


class CreateLinkBody(Record):
    name: str | None
    target_url: str


class CreatePayoutBody(Record):
    program_id: str
    commission_ids: List[str] | None
    require_method: bool | None
    require_confirmed: bool | None
    until: str | None
    reference: str | None
    expected: List[CurrencyTotalDto] | None


class CreateProgramBody(Record):
    description: str | None
    currency: str | None
    status: Literal["draft", "active", "paused"] | None
    attribution_window_days: int | None
    approval_mode: Literal["auto", "manual"] | None
    public_applications: bool | None
    hold_days: int | None
    auto_approve: bool | None
    accepted_currencies: List[str] | None
    review_above_cents: int | None
    min_payout_cents: int | None
    sales_from: Literal["both", "api", "stripe", "paddle", "polar"] | None
    banned_sources: List[str] | None
    name: str
    website_url: str
    commission: CommissionTermsBody


class CreateWebhookBody(Record):
    url: str
    events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]]
    description: str | None


class CurrencyTotalDto(Record):
    currency: str
    amount_cents: int


class CustomerBindingDto(Record):
    participant_id: str
    from_: str | None
    until: str | None
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]


class CustomerBody(Record):
    customer_id: str
    click_id: str | None
    promo_code: str | None
    aliases: List[str] | None
    occurred_at: str | None
    prospect_email: str | None


class CustomerDto(Record):
    id: str
    customer_id: str
    aliases: List[str]
    attributed: bool
    attribution: AttributionDto
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]
    bound_at: str
    first_paid_at: str | None
    mode: Literal["test", "live"]
    created_at: str
    participant_id: str
    program_id: str
    partner_name: str
    conversions: int
    revenue: List[CustomerRevenueDto]
    bindings: List[CustomerBindingDto]


class CustomerErasureBody(Record):
    customer_id: str | None
    email: str | None


class CustomerErasureDto(Record):
    erased_at: str
    conversions: int


class CustomerMonthsDto(Record):
    from_: int | None
    to: int | None


class CustomerRevenueDto(Record):
    currency: str
    amount_cents: int


class CustomerSinceDto(Record):
    from_: str | None
    to: str | None


class DailyLimitDto(Record):
    currency: str
    amount_cents: int


class DecisionDetailDto(Record):
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    explanation: str
    matched_by: Literal["click", "promo_code", "customer", "import"] | None
    click_id: str | None
    promo_code: str | None
    program_id: str | None
    participant_id: str | None
    conversion_id: str
    external_transaction_id: str
    attributed: bool
    created_at: str
    trace: DecisionTraceDto


class DecisionDto(Record):
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    explanation: str
    matched_by: Literal["click", "promo_code", "customer", "import"] | None
    click_id: str | None
    promo_code: str | None
    program_id: str | None
    participant_id: str | None
    conversion_id: str
    external_transaction_id: str
    attributed: bool
    created_at: str


class DecisionTermsDto(Record):
    type: Literal["percentage", "flat", "none"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    recurring: bool
    recurring_months: int | None
    hold_days: int
    auto_approve: bool


class DecisionTraceDto(Record):
    source: Literal["api", "stripe", "paddle", "polar", "import"]
    reported_at: str
    occurred_at: str
    signals: SignalsDto
    candidates: List[CandidateDto]
    rule: str | None
    terms: DecisionTermsDto | None
    rules: List[RuleTraceDto]
    customer_month: int | None
    payment_number: int | None
    fraud_rules: List[FraudFindingDto]
    former: List[FormerAnswerDto]


class DeletePayoutMethodBody(Record):
    password: str
    code: str | None


class DeliveryAttemptDto(Record):
    attempt: int
    at: str
    http_status_code: int | None
    error_message: str | None
    duration_ms: int


class DeliveryDetailDto(Record):
    id: str
    endpoint_id: str
    event_id: str
    event_type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"]
    status: Literal["pending", "retrying", "succeeded", "dead_letter", "cancelled"]
    attempts: int
    http_status_code: int | None
    error_message: str | None
    duration_ms: int | None
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None
    payload: EventDto | None
    request_id: str | None
    response_body: str | None
    attempt_log: List[DeliveryAttemptDto]


class DeliveryDto(Record):
    id: str
    endpoint_id: str
    event_id: str
    event_type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"]
    status: Literal["pending", "retrying", "succeeded", "dead_letter", "cancelled"]
    attempts: int
    http_status_code: int | None
    error_message: str | None
    duration_ms: int | None
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None


class DependenciesDto(Record):
    database: Literal["up", "down"]
    cache: Literal["up", "down"]
    temporal: Literal["up", "down"]


class DiscountBody(Record):
    percent_off_bps: int | None
    amount_off_cents: int | None
    currency: str | None
    months: int | None


class DiscountDto(Record):
    percent_off_bps: int | None
    amount_off_cents: int | None
    currency: str | None
    months: int | None


class DryRunDto(Record):
    id: str
    external_transaction_id: str
    attributed: bool
    attribution: AttributionDto
    commission: ConversionCommissionDto | None
    event_type: str
    amount_cents: int
    currency: str | None
    occurred_at: str
    customer_id: str | None
    metadata: Any | None
    items: List[ConversionItemDto] | None
    source: Literal["api", "stripe", "paddle", "polar", "import"]
    refunded_amount_cents: int
    mode: Literal["test", "live"]
    created_at: str
    trace: DecisionTraceDto


class EarlierDto(Record):
    status: Literal["pending", "approved", "rejected", "suspended", "left"]
    debts: List[AmountDto]


class EmptyDto(Record):
    pass


class EnableTwoFactorBody(Record):
    code: str


class ErasureBody(Record):
    confirmation: Literal["DELETE"]


class ErasureDto(Record):
    erased_at: str


class ErrorDetailDto(Record):
    field: str
    message: str


class ErrorDto(Record):
    status_code: int
    message: str
    error: str
    code: str
    details: List[ErrorDetailDto] | None


class EventAttributionDto(Record):
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    explanation: str
    matched_by: Literal["click", "promo_code", "customer", "import"] | None
    click_id: str | None
    promo_code: str | None
    program_id: str | None
    participant_id: str | None
    window_ends_at: str | None


class EventCommissionDto(Record):
    id: str
    program_id: str
    participant_id: str
    conversion_id: str | None
    external_transaction_id: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    needs_review: bool
    review_reasons: List[str]
    hold_until: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    payout_id: str | None
    created_at: str
    updated_at: str


class EventCommissionSummaryDto(Record):
    id: str
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    amount_cents: int
    currency: str
    hold_until: str | None
    needs_review: bool


class EventConversionDto(Record):
    id: str
    external_transaction_id: str
    attributed: bool
    attribution: EventAttributionDto
    commission: EventCommissionSummaryDto | None
    event_type: str
    amount_cents: int
    currency: str | None
    occurred_at: str
    customer_id: str | None
    metadata: Any | None
    items: List[ConversionItemDto] | None
    source: Literal["api", "stripe", "paddle", "polar", "import"]
    refunded_amount_cents: int
    mode: Literal["test", "live"]
    created_at: str


class EventDataDto(Record):
    object: Any


class EventDto(Record):
    id: str
    type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    data: EventDataDto


class EventFraudConversionDto(Record):
    id: str
    external_transaction_id: str
    attributed: bool
    attribution: EventAttributionDto
    commission: EventCommissionSummaryDto | None
    event_type: str
    amount_cents: int
    currency: str | None
    occurred_at: str
    customer_id: str | None
    metadata: Any | None
    items: List[ConversionItemDto] | None
    source: Literal["api", "stripe", "paddle", "polar", "import"]
    refunded_amount_cents: int
    mode: Literal["test", "live"]
    created_at: str
    fraud_flags: List[EventFraudFlagDto]


class EventFraudFlagDto(Record):
    rule: str
    action: Literal["flag", "hold", "reject"]
    value: float | None | str | bool
    threshold: int | None


class EventOpenBalanceDto(Record):
    currency: str
    pending_cents: int
    approved_cents: int


class EventParticipantDto(Record):
    id: str
    program_id: str
    partner_gpa_id: str
    partner_name: str
    status: str
    status_reason: str | None
    message: str | None
    referral_code: str
    promo_codes: List[str]
    group_id: str | None
    group_name: str | None
    from_group_id: str | None
    created_at: str
    approved_at: str | None
    open_balances: List[EventOpenBalanceDto] | None


class EventPayoutDto(Record):
    id: str
    program_id: str
    status: Literal["processing", "completed", "cancelled"]
    reference: str | None
    items: List[EventPayoutItemDto]
    created_at: str
    completed_at: str | None
    cancelled_at: str | None


class EventPayoutItemDto(Record):
    id: str
    status: Literal["ready", "sending", "paid", "failed", "returned", "cancelled"]
    participant_id: str
    currency: str
    amount_cents: int
    commission_count: int
    provider: Literal["paypal"] | None


class EventWebhookDto(Record):
    id: str
    url: str
    events: List[str]
    active: bool
    mode: Literal["test", "live"]


class ExpectedSendDto(Record):
    items: int
    amount_cents: int


class ExpectedSumDto(Record):
    currency: str
    open_cents: int
    paid_cents: int


class ExportedAccountDto(Record):
    name: str
    email: str
    id: str
    vat_id: str | None
    payout_method: Any | None
    created_at: str


class ExportedBalanceDto(Record):
    mode: Literal["test", "live"]
    currency: str
    pending_cents: int
    approved_cents: int
    in_payout_cents: int
    paid_cents: int
    imported_cents: int
    paid_elsewhere_cents: int
    debt_cents: int


class ExportedCodeDto(Record):
    code: str
    created_at: str
    retired_at: str | None


class ExportedCommissionDto(Record):
    id: str
    conversion_id: str | None
    external_transaction_id: str | None
    adjustment_reason: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    terms: Any
    rejection_reason: str | None
    hold_until: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    history: List[ExportedDecisionDto] | None
    ledger: List[ExportedEntryDto] | None
    payout_id: str | None
    created_at: str


class ExportedDecisionDto(Record):
    from_: str | None
    to: str
    trigger: str
    reason: str | None
    at: str


class ExportedEntryDto(Record):
    type: str
    amount_cents: int
    currency: str
    created_at: str


class ExportedFlagDto(Record):
    rule: str
    action: str
    value: Any
    threshold: int | None
    state: str
    note: str | None
    created_at: str


class ExportedInviteDto(Record):
    id: str
    mode: Literal["test", "live"]
    email: str
    name: str | None
    status: str
    program_name: str | None
    created_at: str


class ExportedLinkDto(Record):
    id: str
    token: str
    name: str | None
    target_url: str
    created_at: str
    deleted_at: str | None


class ExportedMailDto(Record):
    id: str
    mode: Literal["test", "live"] | None
    type: str
    subject: str | None
    status: str
    created_at: str


class ExportedNameDto(Record):
    name: str
    email: str


class ExportedNetworkDto(Record):
    hash: str
    last_seen_at: str


class ExportedNoticeDto(Record):
    id: str
    mode: Literal["test", "live", "both"]
    type: str
    title: str
    body: str
    created_at: str
    dismissed_at: str | None


class ExportedPayoutDto(Record):
    id: str
    status: Literal["processing", "completed", "cancelled"]
    currency: str
    amount_cents: int
    created_at: str
    completed_at: str | None


class ExportedPreferenceDto(Record):
    category: Literal["programs", "commissions", "payouts", "security"]
    in_app: bool | None
    email: bool | None


class ExportedProgramDto(Record):
    participant: ParticipantDto
    links: List[ExportedLinkDto]
    promo_codes: List[ExportedPromoCodeDto]
    commissions: List[ExportedCommissionDto]
    payouts: List[ExportedPayoutDto]
    program_name: str
    mode: Literal["test", "live"]
    codes: List[ExportedCodeDto]
    fraud_flags: List[ExportedFlagDto]


class ExportedPromoCodeDto(Record):
    code: str
    created_at: str


class ExportedSessionDto(Record):
    user_agent: str | None
    created_at: str
    last_used_at: str
    ended_at: str | None


class FlaggedCommissionDto(Record):
    id: str
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    amount_cents: int
    currency: str
    needs_review: bool


class FlaggedConversionDto(Record):
    id: str
    external_transaction_id: str
    event_type: str
    amount_cents: int
    currency: str | None
    attributed: bool
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    occurred_at: str
    created_at: str


class ForgotPasswordBody(Record):
    email: str


class FormerAnswerDto(Record):
    until: str
    fact: Literal["payment", "report", "sign_up", "hand", "operator"]
    attributed: bool
    reason: Literal["ATTRIBUTED", "CLICK_NOT_FOUND", "CLICK_EXPIRED", "CLICK_AFTER_CONVERSION", "PROMO_CODE_NOT_FOUND", "PARTNER_NOT_APPROVED", "PARTNER_ERASED", "PROGRAM_NOT_ACTIVE", "SALES_FROM_STRIPE", "SALES_FROM_BILLER", "BEFORE_CUTOVER", "FRAUD_REJECTED"]
    participant_id: str | None
    amount_cents: int


class FraudFindingDto(Record):
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    action: Literal["off", "flag", "hold", "reject"]
    hit: bool
    value: float | None | bool
    threshold: int | None


class FraudFlagDto(Record):
    id: str
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    action: Literal["off", "flag", "hold", "reject"]
    value: float | bool
    threshold: int | None
    state: Literal["open", "confirmed", "dismissed"]
    note: str | None
    resolved_at: str | None
    participant_id: str
    partner_name: str
    conversion: FlaggedConversionDto
    commission: FlaggedCommissionDto | None
    created_at: str


class FraudRuleBody(Record):
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    action: Literal["off", "flag", "hold", "reject"]
    threshold: int | None


class FraudRuleCountDto(Record):
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    count: int


class FraudRuleDto(Record):
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    action: Literal["off", "flag", "hold", "reject"]
    threshold: int | None


class FraudRulesBody(Record):
    rules: List[FraudRuleBody]


class FraudRulesDto(Record):
    rules: List[FraudRuleDto]


class FraudSummaryDto(Record):
    total: int
    by_rule: List[FraudRuleCountDto]


class GivenBonusBody(Record):
    id: str | None
    name: str
    metric: Literal["customers", "conversions", "revenue"]
    at_least: int
    window: BonusWindowBody | None
    amount_cents: int
    currency: str | None
    group_ids: List[str] | None
    hold_days: int | None
    auto_approve: bool | None


class GroupDto(Record):
    id: str
    name: str
    description: str | None
    commission: CommissionTermsDto | None
    hold_days: int | None
    auto_approve: bool | None
    public_applications: bool
    approval_mode: Literal["auto", "manual"] | None
    is_default: bool
    participants: int
    created_at: str
    updated_at: str


class GroupNameDto(Record):
    name: str


class HealthDto(Record):
    status: Literal["ok"]


class HistoryEntryDto(Record):
    from_: Literal["pending", "approved", "rejected", "paid", "refunded"] | None
    to: Literal["pending", "approved", "rejected", "paid", "refunded"]
    trigger: Literal["created", "approve", "approve_override", "reject", "hold_elapsed", "refund", "dispute", "payout", "payout_returned", "recredit", "bonus", "bonus_lost"]
    actor: CommissionActorDto
    reason: str | None
    at: str


class ImportAnnouncedDto(Record):
    count: int
    at: str


class ImportColumnDto(Record):
    name: str
    sample: List[str]


class ImportDto(Record):
    id: str
    source: Literal["rewardful", "tolt", "firstpromoter", "csv"]
    name: str
    status: Literal["draft", "reading", "checked", "applying", "applied", "undoing", "undone", "stopped", "cancelled", "failed"]
    cutover: str
    currency: str
    only: List[str] | None
    group_by: Literal["campaign", "campaign_and_commission"] | None
    mapping: Any
    statuses: Any
    report: ImportReportDto | None
    error: ImportErrorDto | None
    progress: ImportProgressDto | None
    announced: ImportAnnouncedDto | None
    created_at: str
    applied_at: str | None


class ImportedMethodDto(Record):
    type: Literal["paypal", "wise", "bank", "other"]
    label: str
    confirmed: bool


class ImportErrorDto(Record):
    code: str
    message: str


class ImportFileDto(Record):
    kind: Literal["partners", "links", "customers", "commissions"]
    part: int
    rows: int
    columns: List[ImportColumnDto]


class ImportFilesDto(Record):
    files: List[ImportFileDto]
    suggestion: ImportSuggestionDto | None


class ImportKindDto(Record):
    kind: Literal["partners", "links", "customers", "commissions"]
    read: int
    new: int
    known: int
    skipped: int


class ImportMoneyDto(Record):
    currency: str
    open_cents: int
    paid_cents: int
    void_cents: int
    negative_cents: int
    after_cutover_cents: int
    known_here_cents: int


class ImportProgressDto(Record):
    step: str
    done: int
    total: int | None


class ImportReportDto(Record):
    kinds: List[ImportKindDto]
    money: List[ImportMoneyDto]
    problems: ImportSamplesDto
    warnings: ImportSamplesDto
    merged: int
    params: List[str]
    terms: List[TheirTermsDto] | None


class ImportSampleDto(Record):
    file: str
    line: int
    id: str
    code: str
    message: str


class ImportSamplesDto(Record):
    count: int
    sample: List[ImportSampleDto]


class ImportSuggestionDto(Record):
    system: str
    mapping: Any
    statuses: Any


class InboxDto(Record):
    applications: int
    review: int
    fraud_flags: int
    dead_letters: int
    stripe_failures: int
    biller_failures: int
    payouts_processing: int
    payout_attention: int
    debts: int


class InboxPlaceDto(Record):
    kind: Literal["applications", "review", "fraudFlags", "payoutsProcessing", "payoutAttention", "debts", "deadLetters"]
    program_id: str | None
    webhook_id: str | None
    name: str
    count: int


class InvitedMemberDto(Record):
    id: str
    email: str
    role: Literal["viewer", "member", "admin", "owner"]
    status: Literal["invited"]
    invite_url: str


class InviteErasureBody(Record):
    partner_email: str
    partner_gpa_id: str


class InviteMemberBody(Record):
    email: str
    role: Literal["viewer", "member", "admin", "owner"]


class InvitePartnerBody(Record):
    email: str
    name: str | None
    group_id: str | None


class InvitePreviewDto(Record):
    program_name: str
    workspace_name: str
    website_url: str
    terms: PublicProgramDto
    email: str
    name: str | None
    expires_at: str


class ItemAttentionDto(Record):
    reason: Literal["unanswered", "differs", "vanished", "word", "blocked", "refunded", "too_long", "twice", "restored"]
    at: str


class ItemFeeDto(Record):
    amount_cents: int
    currency: str


class ItemMethodDto(Record):
    type: str
    label: str


class JwkDto(Record):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]


class JwksDto(Record):
    keys: List[JwkDto]


class KeyMakerDto(Record):
    id: str
    email: str | None


class LeavingBonusDto(Record):
    name: str
    metric: Literal["customers", "conversions", "revenue"]
    at_least: int
    window: Any
    amount_cents: int
    currency: str
    groups: List[str] | None
    hold_days: int | None
    auto_approve: bool | None


class LeavingGroupDto(Record):
    name: str
    is_default: bool
    description: str | None
    commission: CommissionTermsDto | None
    hold_days: int | None
    auto_approve: bool | None
    public_applications: bool
    approval_mode: Literal["auto", "manual"] | None


class LeavingRuleDto(Record):
    name: str
    match: Any
    type: Literal["percentage", "flat", "none"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    hold_days: int | None
    auto_approve: bool | None


class LeavingStepDto(Record):
    at_least: int
    group: str


class LeavingTermsDto(Record):
    groups: List[LeavingGroupDto]
    rules: List[LeavingRuleDto]
    tiers: LeavingTiersDto
    bonuses: List[LeavingBonusDto]


class LeavingTiersDto(Record):
    metric: Literal["customers", "conversions", "revenue"]
    window: Literal["lifetime"]
    demote: bool
    steps: List[LeavingStepDto]


class LedgerEntryDto(Record):
    id: str
    type: Literal["accrual", "adjustment", "refund", "fee_settlement", "dispute_hold", "dispute_release", "reversal", "clawback", "recredit", "payout", "payout_reversal", "import", "paid_elsewhere"]
    amount_cents: int
    currency: str
    created_at: str


class LedgerRowDto(Record):
    id: str
    created_at: str
    type: Literal["accrual", "adjustment", "refund", "fee_settlement", "dispute_hold", "dispute_release", "reversal", "clawback", "recredit", "payout", "payout_reversal", "import", "paid_elsewhere"]
    amount_cents: int
    currency: str
    program_id: str
    participant_id: str
    partner_name: str
    commission_id: str
    payout_id: str | None
    reason: str | None


class LeftOutDto(Record):
    participant_id: str
    partner_name: str
    currency: str
    amount_cents: int
    why: Literal["debt", "below_minimum", "suspended", "disputed", "no_method", "unconfirmed_method", "attention"]


class LeftOutItemDto(Record):
    item_id: str
    why: Literal["no_method", "other_method", "unconfirmed_method", "exported", "suspended", "method_refused", "attention"]


class LoginBody(Record):
    email: str
    password: str
    code: str | None


class MarkItemBody(Record):
    status: Literal["paid", "failed", "returned", "ready"]
    confirm_checked: bool | None
    transaction_id: str | None
    reason: str | None


class MemberDto(Record):
    id: str
    email: str
    name: str | None
    role: Literal["viewer", "member", "admin", "owner"]
    status: Literal["invited", "active"]
    created_at: str


class MembershipActorDto(Record):
    type: Literal["member", "partner", "operator", "api_key", "system", "processor"]
    id: str | None


class MembershipDto(Record):
    group_id: str
    group_name: str
    from_: str
    until: str | None
    source: Literal["start", "hand", "tier", "invite", "application", "import"]
    actor: MembershipActorDto
    reason: str | None


class MerchantAccountDto(Record):
    id: str
    email: str
    name: str
    email_verified: bool
    two_factor: bool
    workspace_id: str
    workspace_name: str
    role: Literal["viewer", "member", "admin", "owner"]


class MerchantNotificationCategoryBody(Record):
    category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"] | None


class MerchantPreferenceChange(Record):
    category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"]
    in_app: bool | None
    email: bool | None


class MerchantPreferenceDto(Record):
    category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security"]
    in_app: bool
    email: bool
    protected: bool


class MerchantPreferencesBody(Record):
    preferences: List[MerchantPreferenceChange]


class MerchantPreferencesDto(Record):
    preferences: List[MerchantPreferenceDto]


class MerchantRegistrationDto(Record):
    access_token: str
    refresh_token: str | None
    token_type: Literal["Bearer"]
    expires_in: int
    account: MerchantAccountDto
    api_keys: List[NewKeyDto]


class MerchantSessionDto(Record):
    access_token: str
    refresh_token: str | None
    token_type: Literal["Bearer"]
    expires_in: int
    account: MerchantAccountDto


class MetricsDto(Record):
    currency: str
    current: PeriodFiguresDto
    previous: PeriodFiguresDto
    change: ChangeDto


class MoveBody(Record):
    group_id: str
    reason: str | None


class MovedDto(Record):
    participant_id: str
    ok: bool
    status: Literal["pending", "approved", "rejected", "suspended", "left"] | None
    code: str | None
    message: str | None


class NewKeyDto(Record):
    kind: Literal["public", "secret"]
    mode: Literal["test", "live"]
    key: str


class NewPromoCodeBody(Record):
    code: str
    discount: DiscountBody | None


class NextTierDto(Record):
    group_name: str
    at_least: int


class NotificationDto(Record):
    id: str
    category: Literal["conversions", "commissions", "partners", "fraud", "webhooks", "payouts", "security", "programs"]
    type: Literal["conversion.created", "commission.needs_review", "commission.refunded", "participant.applied", "participant.joined", "conversion.fraud_detected", "webhook.dead_letter", "webhook.disabled", "stripe.events_failing", "biller.events_failing", "payout.completed", "payout.attention", "payout.not_received", "security.password_changed", "security.email_changed", "security.two_factor_enabled", "security.two_factor_disabled", "security.two_factor_reset", "security.recovery_codes_renewed", "security.recovery_code_used", "security.api_key_created", "security.api_key_revoked", "security.payout_provider_connected", "security.payout_provider_disconnected", "security.payout_limits_changed", "security.member_invited", "security.member_joined", "security.member_role_changed", "security.member_removed", "security.workspace_closing", "security.workspace_reopened", "participant.approved", "participant.rejected", "participant.suspended", "participant.reinstated", "participant.moved", "program.terms_changed", "program.closing", "customer.lost", "commission.created", "commission.approved", "commission.rejected", "commission.paid", "payout.created", "payout.cancelled", "payout.unclaimed", "security.payout_method_changed"]
    title: str
    body: str
    data: Any
    read_at: str | None
    created_at: str


class NotificationLogDetailDto(Record):
    id: str
    status: Literal["suppressed", "redirected", "throttled", "delivered"]
    recipient: str
    type: str
    subject: str
    created_at: str
    html: str


class NotificationLogDto(Record):
    id: str
    status: Literal["suppressed", "redirected", "throttled", "delivered"]
    recipient: str
    type: str
    subject: str
    created_at: str


class NotReceivedBody(Record):
    message: str | None


class NotReceivedDto(Record):
    pass


class OpenBalanceDto(Record):
    currency: str
    pending_cents: int
    approved_cents: int


class OwnCodeAtBillerDto(Record):
    biller: Literal["stripe", "paddle", "polar"]
    status: Literal["pending", "made", "failed", "deleted"]


class OwnCodeDto(Record):
    code: str
    discount: DiscountDto | None
    billers: List[OwnCodeAtBillerDto]


class PageOfApiKey(Record):
    data: List[ApiKeyDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfAuditEntry(Record):
    data: List[AuditEntryDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfBillerEvent(Record):
    data: List[BillerEventDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfCommission(Record):
    data: List[CommissionDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfConversion(Record):
    data: List[ConversionDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfCustomer(Record):
    data: List[CustomerDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfDecision(Record):
    data: List[DecisionDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfDelivery(Record):
    data: List[DeliveryDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfEvent(Record):
    data: List[EventDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfFraudFlag(Record):
    data: List[FraudFlagDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfGroup(Record):
    data: List[GroupDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfImport(Record):
    data: List[ImportDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfInboxPlace(Record):
    data: List[InboxPlaceDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfLedgerRow(Record):
    data: List[LedgerRowDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfMember(Record):
    data: List[MemberDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfMembership(Record):
    data: List[MembershipDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfNotification(Record):
    data: List[NotificationDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfNotificationLog(Record):
    data: List[NotificationLogDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfParticipant(Record):
    data: List[ParticipantDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfParticipantName(Record):
    data: List[ParticipantNameDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPartnerCommission(Record):
    data: List[PartnerCommissionDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPartnerInvite(Record):
    data: List[PartnerInviteDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPartnerPayout(Record):
    data: List[PartnerPayoutDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPartnerProgram(Record):
    data: List[PartnerProgramDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPayout(Record):
    data: List[PayoutDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPayoutBatch(Record):
    data: List[PayoutBatchDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPayoutProvider(Record):
    data: List[PayoutProviderDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfProgram(Record):
    data: List[ProgramDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfProgramCustomer(Record):
    data: List[ProgramCustomerDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfPromoCode(Record):
    data: List[PromoCodeDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfReceipt(Record):
    data: List[ReceiptDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfRefund(Record):
    data: List[RefundDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfSession(Record):
    data: List[SessionDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfStatementEntry(Record):
    data: List[StatementEntryDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfStripeEvent(Record):
    data: List[StripeEventDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfSuppressedAddress(Record):
    data: List[SuppressedAddressDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfTrackingLink(Record):
    data: List[TrackingLinkDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PageOfWebhook(Record):
    data: List[WebhookDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PaidByDto(Record):
    type: Literal["paypal", "wise", "bank", "other"]
    label: str
    confirmed: bool


class ParticipantAppliedEvent(Record):
    id: str
    type: Literal["participant.applied"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantAppliedEventData


class ParticipantAppliedEventData(Record):
    object: EventParticipantDto


class ParticipantApprovedEvent(Record):
    id: str
    type: Literal["participant.approved"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantApprovedEventData


class ParticipantApprovedEventData(Record):
    object: EventParticipantDto


class ParticipantDto(Record):
    id: str
    program_id: str
    partner_name: str
    partner_email: str
    partner_gpa_id: str
    status: Literal["pending", "approved", "rejected", "suspended", "left"]
    status_reason: str | None
    message: str | None
    referral_code: str
    promo_codes: List[str]
    created_at: str
    approved_at: str | None
    erased_at: str | None
    group_id: str
    group_name: str
    group_since: str
    claimed: bool
    similar_codes: List[SimilarCodeDto]
    earlier: EarlierDto | None
    payout_method: ImportedMethodDto | None
    paid_by: PaidByDto | None
    clicks: int
    conversions: int
    revenue: List[AmountDto]
    commissions: List[AmountDto]


class ParticipantErasedEvent(Record):
    id: str
    type: Literal["participant.erased"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantErasedEventData


class ParticipantErasedEventData(Record):
    object: EventParticipantDto


class ParticipantMovedEvent(Record):
    id: str
    type: Literal["participant.moved"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantMovedEventData


class ParticipantMovedEventData(Record):
    object: EventParticipantDto


class ParticipantNameDto(Record):
    id: str
    program_id: str
    program_name: str
    partner_name: str
    partner_email: str
    status: Literal["pending", "approved", "rejected", "suspended", "left"]


class ParticipantRejectedEvent(Record):
    id: str
    type: Literal["participant.rejected"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantRejectedEventData


class ParticipantRejectedEventData(Record):
    object: EventParticipantDto


class ParticipantSuspendedEvent(Record):
    id: str
    type: Literal["participant.suspended"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: ParticipantSuspendedEventData


class ParticipantSuspendedEventData(Record):
    object: EventParticipantDto


class ParticipantWithCodeDto(Record):
    id: str
    program_id: str
    partner_name: str
    partner_email: str
    partner_gpa_id: str
    status: Literal["pending", "approved", "rejected", "suspended", "left"]
    status_reason: str | None
    message: str | None
    referral_code: str
    promo_codes: List[str]
    created_at: str
    approved_at: str | None
    erased_at: str | None
    group_id: str
    group_name: str
    group_since: str
    claimed: bool
    similar_codes: List[SimilarCodeDto]
    earlier: EarlierDto | None
    payout_method: ImportedMethodDto | None
    paid_by: PaidByDto | None
    clicks: int
    conversions: int
    revenue: List[AmountDto]
    commissions: List[AmountDto]
    promo_code: PromoCodeDto


class PartnerAccountDto(Record):
    id: str
    email: str
    name: str
    email_verified: bool
    two_factor: bool
    vat_id: str | None
    created_at: str
    updated_at: str


class PartnerBonusDto(Record):
    name: str
    metric: Literal["customers", "conversions", "revenue"]
    current: int
    at_least: int
    amount_cents: int
    currency: str
    until: str | None
    earned: bool


class PartnerCommissionDetailDto(Record):
    id: str
    program_id: str
    program_name: str
    participant_id: str
    partner_name: str
    conversion_id: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    adjustment_reason: str | None
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    fee_cents: int | None
    terms: PinnedTermsDto | None
    needs_review: bool
    hold_until: str | None
    hold_active: bool
    rejection_reason: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    payout_id: str | None
    created_at: str
    updated_at: str
    history: List[PartnerHistoryEntryDto]
    ledger: List[LedgerEntryDto]


class PartnerCommissionDto(Record):
    id: str
    program_id: str
    program_name: str
    participant_id: str
    partner_name: str
    conversion_id: str | None
    status: Literal["pending", "approved", "rejected", "paid", "refunded"]
    commission_type: Literal["percentage", "flat", "adjustment", "bonus", "imported"]
    amount_cents: int
    original_amount_cents: int
    adjustment_reason: str | None
    refunded_amount_cents: int
    currency: str
    conversion_amount_cents: int
    fee_cents: int | None
    terms: PinnedTermsDto | None
    needs_review: bool
    hold_until: str | None
    hold_active: bool
    rejection_reason: str | None
    approved_at: str | None
    rejected_at: str | None
    paid_at: str | None
    refunded_at: str | None
    payout_id: str | None
    created_at: str
    updated_at: str


class PartnerExportDto(Record):
    participant: ParticipantDto
    links: List[ExportedLinkDto]
    promo_codes: List[ExportedPromoCodeDto]
    commissions: List[ExportedCommissionDto]
    payouts: List[ExportedPayoutDto]
    account: ExportedNameDto


class PartnerFiguresDto(Record):
    participant_id: str
    partner_name: str
    attributed_revenue_cents: int
    conversions: int
    clicks: int
    conversion_rate: float
    fraud_flag_count: int


class PartnerGroupDto(Record):
    name: str
    since: str


class PartnerHistoryEntryDto(Record):
    from_: Literal["pending", "approved", "rejected", "paid", "refunded"] | None
    to: Literal["pending", "approved", "rejected", "paid", "refunded"]
    trigger: Literal["created", "approve", "approve_override", "reject", "hold_elapsed", "refund", "dispute", "payout", "payout_returned", "recredit", "bonus", "bonus_lost"]
    reason: str | None
    at: str


class PartnerIdentityDto(Record):
    id: str
    email: str
    name: str
    email_verified: bool
    two_factor: bool


class PartnerInviteDto(Record):
    id: str
    email: str
    name: str | None
    status: Literal["pending", "accepted", "expired"]
    expires_at: str
    created_at: str


class PartnerNotificationCategoryBody(Record):
    category: Literal["programs", "commissions", "payouts", "security"] | None


class PartnerPageDto(Record):
    currency: str
    data: List[PartnerFiguresDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None


class PartnerPayoutDto(Record):
    id: str
    program_id: str
    amount_cents: int
    currency: str
    status: Literal["processing", "completed", "cancelled"]
    created_at: str
    completed_at: str | None
    item_status: Literal["ready", "sending", "paid", "failed", "returned", "cancelled"]
    reason: str | None
    claim_until: str | None


class PartnerPreferenceChange(Record):
    category: Literal["programs", "commissions", "payouts", "security"]
    in_app: bool | None
    email: bool | None


class PartnerPreferenceDto(Record):
    category: Literal["programs", "commissions", "payouts", "security"]
    in_app: bool
    email: bool
    protected: bool


class PartnerPreferencesBody(Record):
    preferences: List[PartnerPreferenceChange]


class PartnerPreferencesDto(Record):
    preferences: List[PartnerPreferenceDto]


class PartnerProgramDto(Record):
    program_id: str
    program_name: str
    participant_id: str
    status: Literal["pending", "approved", "rejected", "suspended", "left"]
    referral_code: str
    promo_codes: List[str]
    codes: List[OwnCodeDto]


class PartnerRuleDto(Record):
    name: str
    words: str
    type: Literal["percentage", "flat", "none"]
    rate_bps: int | None
    amount_cents: int | None
    hold_days: int | None


class PartnerSessionDto(Record):
    access_token: str
    refresh_token: str | None
    token_type: Literal["Bearer"]
    expires_in: int
    account: PartnerIdentityDto


class PartnerTermsDto(Record):
    id: str
    mode: Literal["test", "live"]
    name: str
    website_url: str
    description: str | None
    currency: str
    attribution_window_days: int
    approval_mode: Literal["auto", "manual"]
    commission: CommissionTermsDto
    hold_days: int
    group: PartnerGroupDto
    status: Literal["draft", "active", "paused", "archived"]
    min_payout_cents: int
    tier: PartnerTierDto | None
    bonuses: List[PartnerBonusDto]
    participant_id: str
    participant_status: Literal["pending", "approved", "rejected", "suspended", "left"]
    rules: List[PartnerRuleDto]


class PartnerTierDto(Record):
    metric: Literal["customers", "conversions", "revenue"]
    window: Literal["lifetime"]
    current: int
    next: NextTierDto | None


class PaymentNumbersDto(Record):
    from_: int | None
    to: int | None


class PayoutBatchDto(Record):
    id: str
    provider: Literal["paypal"]
    status: Literal["trying", "taken", "ended", "refused", "attention"]
    sender_batch_id: str
    provider_batch_id: str | None
    provider_status: str | None
    currency: str
    items: int
    amount_cents: int
    outcomes: List[BatchOutcomeDto]
    tries: int
    first_try_at: str | None
    taken_at: str | None
    last_answer: ProviderAnswerDto | None


class PayoutCancelledEvent(Record):
    id: str
    type: Literal["payout.cancelled"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: PayoutCancelledEventData


class PayoutCancelledEventData(Record):
    object: EventPayoutDto


class PayoutCompletedEvent(Record):
    id: str
    type: Literal["payout.completed"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: PayoutCompletedEventData


class PayoutCompletedEventData(Record):
    object: EventPayoutDto


class PayoutCreatedEvent(Record):
    id: str
    type: Literal["payout.created"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: PayoutCreatedEventData


class PayoutCreatedEventData(Record):
    object: EventPayoutDto


class PayoutDetailDto(Record):
    id: str
    program_id: str
    status: Literal["processing", "completed", "cancelled"]
    reference: str | None
    items: List[PayoutItemDetailDto]
    created_at: str
    completed_at: str | None
    cancelled_at: str | None
    progress: PayoutProgressDto


class PayoutDto(Record):
    id: str
    program_id: str
    status: Literal["processing", "completed", "cancelled"]
    reference: str | None
    items: List[PayoutItemDto]
    created_at: str
    completed_at: str | None
    cancelled_at: str | None


class PayoutItemDetailDto(Record):
    id: str
    reference: str
    participant_id: str
    partner_name: str
    currency: str
    amount_cents: int
    commission_count: int
    method: ItemMethodDto | None
    status: Literal["ready", "sending", "paid", "failed", "returned", "cancelled"]
    transaction_id: str | None
    reason: str | None
    exported_at: str | None
    paid_at: str | None
    ended_at: str | None
    provider: Literal["paypal"] | None
    batch_id: str | None
    provider_item_id: str | None
    provider_status: str | None
    fee: ItemFeeDto | None
    sent_at: str | None
    attention: ItemAttentionDto | None
    claim_until: str | None
    commission_ids: List[str]


class PayoutItemDto(Record):
    id: str
    reference: str
    participant_id: str
    partner_name: str
    currency: str
    amount_cents: int
    commission_count: int
    method: ItemMethodDto | None
    status: Literal["ready", "sending", "paid", "failed", "returned", "cancelled"]
    transaction_id: str | None
    reason: str | None
    exported_at: str | None
    paid_at: str | None
    ended_at: str | None
    provider: Literal["paypal"] | None
    batch_id: str | None
    provider_item_id: str | None
    provider_status: str | None
    fee: ItemFeeDto | None
    sent_at: str | None
    attention: ItemAttentionDto | None
    claim_until: str | None


class PayoutItemReturnedEvent(Record):
    id: str
    type: Literal["payout.item_returned"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: PayoutItemReturnedEventData


class PayoutItemReturnedEventData(Record):
    object: EventPayoutDto


class PayoutItemUpdatedEvent(Record):
    id: str
    type: Literal["payout.item_updated"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: PayoutItemUpdatedEventData


class PayoutItemUpdatedEventData(Record):
    object: EventPayoutDto


class PayoutMethodDto(Record):
    method: ShownMethodDto | None


class PayoutMethodInput(Record):
    type: Literal["paypal", "wise", "bank", "other"]
    email: str | None
    name: str | None
    holder: str | None
    country: str | None
    iban: str | None
    account_number: str | None
    routing_number: str | None
    bic: str | None
    text: str | None


class PayoutPreviewDto(Record):
    items: List[PreviewedItemDto]
    totals: List[CurrencyTotalDto]
    left_out: List[LeftOutDto]
    remaining: int
    until: str


class PayoutProgressDto(Record):
    done: int
    total: int


class PayoutProviderDto(Record):
    provider: Literal["paypal"]
    status: Literal["not_connected", "connected", "error"]
    client_id: str | None
    last_error: str | None


class PayoutResultsDto(Record):
    dry_run: bool
    rows: int
    changes: List[ResultChangeDto]
    unchanged: int
    skipped: int
    problems: List[ResultProblemDto]
    problem_count: int


class PeriodFiguresDto(Record):
    revenue: List[RevenueDto]
    clicks: int
    conversions: int
    new_customers: int
    renewals: int
    leads: int
    conversion_rate: float


class PingBody(Record):
    event_type: Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test"] | None


class PingResultDto(Record):
    success: bool
    http_status_code: int | None
    error_message: str | None


class PinnedTermsDto(Record):
    rule: str | None
    source: Literal["rule", "group", "program"] | None
    name: str | None
    group_id: str | None
    group_name: str | None
    customer_month: int | None
    payment_number: int | None
    type: Literal["percentage", "flat"]
    rate_bps: int | None
    amount_cents: int | None
    basis: Literal["gross", "net"] | None
    recurring: bool
    recurring_months: int | None
    hold_days: int
    auto_approve: bool


class PreviewedItemDto(Record):
    participant_id: str
    partner_name: str
    currency: str
    amount_cents: int
    commission_count: int
    method: ItemMethodDto | None


class PreviewPayoutBody(Record):
    program_id: str
    commission_ids: List[str] | None
    require_method: bool | None
    require_confirmed: bool | None
    until: str | None


class ProgramCustomerBindingDto(Record):
    participant_id: str
    from_: str | None
    until: str | None
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]
    partner_name: str
    reason: str | None


class ProgramCustomerDto(Record):
    id: str
    customer_id: str
    aliases: List[str]
    participant_id: str
    partner_name: str
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]
    bound_at: str
    first_paid_at: str | None
    conversions: int
    revenue: List[ProgramCustomerRevenueDto]
    bindings: List[ProgramCustomerBindingDto]


class ProgramCustomerRevenueDto(Record):
    currency: str
    amount_cents: int


class ProgramDto(Record):
    id: str
    mode: Literal["test", "live"]
    name: str
    website_url: str
    description: str | None
    currency: str
    status: Literal["draft", "active", "paused", "archived"]
    attribution_window_days: int
    approval_mode: Literal["auto", "manual"]
    public_applications: bool
    commission: CommissionTermsDto
    hold_days: int
    auto_approve: bool
    accepted_currencies: List[str]
    review_above_cents: int | None
    min_payout_cents: int
    sales_from: Literal["both", "api", "stripe", "paddle", "polar"]
    banned_sources: List[str]
    created_at: str
    updated_at: str


class PromoCodeDto(Record):
    code: str
    discount: DiscountDto | None
    billers: List[CodeAtBillerDto]
    created_at: str


class ProviderAnswerDto(Record):
    at: str
    http_status: int | None
    name: str | None
    message: str | None
    debug_id: str | None


class PublicProgramDto(Record):
    id: str
    mode: Literal["test", "live"]
    name: str
    website_url: str
    description: str | None
    currency: str
    attribution_window_days: int
    approval_mode: Literal["auto", "manual"]
    commission: CommissionTermsDto
    hold_days: int
    group: GroupNameDto


class PutBillerConnectionBody(Record):
    api_key: str | None
    webhook_secret: str | None


class PutCommissionRulesBody(Record):
    rules: List[CommissionRuleDto]
    notify: bool | None


class PutPayoutMethodBody(Record):
    password: str
    code: str | None
    method: PayoutMethodInput


class PutProviderBody(Record):
    client_id: str
    client_secret: str
    code: str | None


class PutStripeConnectionBody(Record):
    restricted_key: str | None
    webhook_secret: str | None


class ReadinessDto(Record):
    status: Literal["ready", "not_ready"]
    dependencies: DependenciesDto


class ReasonBody(Record):
    reason: str


class ReceiptChangeDto(Record):
    table: str
    rows: int


class ReceiptDto(Record):
    id: str
    kind: Literal["account", "participant", "invites", "customer"]
    program_id: str | None
    participant_id: str | None
    erased_at: str
    completed_at: str | None
    changes: List[ReceiptChangeDto]
    open_balances: List[OpenBalanceDto]


class RecoveryCodesDto(Record):
    recovery_codes: List[str]


class ReferralCodeBody(Record):
    referral_code: str


class RefreshBody(Record):
    refresh_token: str | None


class RefundBody(Record):
    amount_cents: int | None
    external_refund_id: str
    reason: str | None


class RefundDto(Record):
    id: str
    conversion_id: str
    external_refund_id: str
    amount_cents: int
    reason: str | None
    created_at: str


class RegisterMerchantBody(Record):
    email: str
    password: str
    name: str
    workspace_name: str


class RegisterPartnerBody(Record):
    email: str
    password: str
    name: str


class RejectBody(Record):
    reason: str


class RenameAccountBody(Record):
    name: str


class RequeuedDto(Record):
    queued: int


class ResetDoneDto(Record):
    status: Literal["completed"]
    deleted: Any


class ResetDto(Record):
    reset_id: str | None
    status: Literal["none", "queued", "running", "completed", "failed"]
    deleted: Any
    started_at: str | None
    finished_at: str | None


class ResetPasswordBody(Record):
    token: str
    password: str


class ResetQueuedDto(Record):
    status: Literal["queued"]
    reset_id: str


class ResolveBatchBody(Record):
    provider_batch_id: str | None
    nothing_sent: bool | None
    code: str | None


class ResolveFlagBody(Record):
    state: Literal["confirmed", "dismissed"]
    note: str | None


class ResultChangeDto(Record):
    line: int
    item_id: str
    from_: Literal["ready", "sending", "paid", "failed", "returned", "cancelled"]
    to: Literal["paid", "failed", "returned"]
    transaction_id: str | None


class ResultProblemDto(Record):
    line: int
    message: str


class RetryDeadLettersBody(Record):
    since: str | None


class RevenueDto(Record):
    currency: str
    amount_cents: int


class RotateSecretBody(Record):
    overlap_hours: int | None


class RuleHitsDto(Record):
    rule: Literal["self_referral_email", "same_ip_as_partner", "disposable_email", "click_velocity", "too_fast_conversion", "duplicate_customer", "bot_click", "refund_rate", "paid_traffic", "banned_source"]
    hits: int | None


class RuleMatchDto(Record):
    event_types: List[str] | None
    participant_ids: List[str] | None
    currencies: List[str] | None
    min_amount_cents: int | None
    max_amount_cents: int | None
    group_ids: List[str] | None
    product_ids: List[str] | None
    product_match: Literal["every", "any"] | None
    metadata: Any | None
    customer_months: CustomerMonthsDto | None
    payment_numbers: PaymentNumbersDto | None
    customer_since: CustomerSinceDto | None


class RuleTraceDto(Record):
    name: str
    matched: bool
    failed: Literal["event_types", "participant_ids", "group_ids", "currencies", "min_amount", "max_amount", "product_ids", "metadata", "customer_months", "payment_numbers", "customer_since"] | None


class SendPayoutBody(Record):
    provider: Literal["paypal"]
    currency: str | None
    dry_run: bool | None
    expected: ExpectedSendDto | None
    code: str | None
    require_confirmed: bool | None
    confirm_exported: bool | None


class SendPreviewDto(Record):
    currency: str | None
    items: int
    amount_cents: int
    left_out: List[LeftOutItemDto]


class SentPayoutDto(Record):
    id: str
    program_id: str
    status: Literal["processing", "completed", "cancelled"]
    reference: str | None
    items: List[PayoutItemDto]
    created_at: str
    completed_at: str | None
    cancelled_at: str | None
    left_out: List[LeftOutItemDto]


class SessionDto(Record):
    id: str
    current: bool
    created_at: str
    last_used_at: str
    user_agent: str | None


class SetUpTwoFactorBody(Record):
    password: str


class ShownMethodDto(Record):
    type: Literal["paypal", "wise", "bank", "other"]
    email: str | None
    name: str | None
    holder: str | None
    country: str | None
    iban: str | None
    account_number: str | None
    routing_number: str | None
    bic: str | None
    text: str | None


class SignalsDto(Record):
    click_id: str | None
    promo_code: str | None


class SignedUpCustomerDto(Record):
    id: str | None
    customer_id: str
    aliases: List[str]
    attributed: bool
    attribution: AttributionDto
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]
    bound_at: str | None
    first_paid_at: str | None
    mode: Literal["test", "live"]
    created_at: str


class SimilarCodeDto(Record):
    code: str
    like: str
    participant_id: str
    partner_name: str


class StatementDto(Record):
    data: List[StatementRowDto]
    total: int
    page: int
    limit: int
    next_cursor: str | None
    totals: List[StatementTotalDto]


class StatementEntryDto(Record):
    id: str
    program_id: str
    participant_id: str
    commission_id: str
    payout_id: str | None
    type: Literal["accrual", "adjustment", "refund", "fee_settlement", "dispute_hold", "dispute_release", "reversal", "clawback", "recredit", "payout", "payout_reversal", "import", "paid_elsewhere"]
    amount_cents: int
    currency: str
    created_at: str


class StatementRowDto(Record):
    month: str
    currency: str
    opening_cents: int
    accrued_cents: int
    imported_cents: int
    refunded_cents: int
    clawed_back_cents: int
    fee_cents: int
    held_cents: int
    reversed_cents: int
    recredited_cents: int
    adjusted_cents: int
    paid_cents: int
    paid_elsewhere_cents: int
    returned_cents: int
    closing_cents: int
    participant_id: str
    partner_name: str
    partner_email: str
    program_id: str
    ledger: str


class StatementTotalDto(Record):
    month: str
    currency: str
    opening_cents: int
    accrued_cents: int
    imported_cents: int
    refunded_cents: int
    clawed_back_cents: int
    fee_cents: int
    held_cents: int
    reversed_cents: int
    recredited_cents: int
    adjusted_cents: int
    paid_cents: int
    paid_elsewhere_cents: int
    returned_cents: int
    closing_cents: int


class StatusBreakdownDto(Record):
    pending: StatusStatsDto
    approved: StatusStatsDto
    rejected: StatusStatsDto
    paid: StatusStatsDto
    refunded: StatusStatsDto


class StatusStatsDto(Record):
    count: int
    amounts: List[CommissionAmountDto]


class StripeConnectionDto(Record):
    connection_id: str
    mode: Literal["test", "live"]
    status: Literal["not_connected", "connected", "error"]
    url: str
    has_webhook_secret: bool
    last_event_at: str | None
    last_event_type: str | None
    last_error: str | None
    has_restricted_key: bool
    missing_kinds: List[str]


class StripeEventDto(Record):
    id: str
    type: str
    object_id: str | None
    status: Literal["received", "retrying", "processed", "ignored", "waiting", "failed"]
    error: str | None
    attempts: int
    received_at: str
    processed_at: str | None
    stripe_event_id: str
    api_version: str | None


class SuppressedAddressDto(Record):
    id: str
    email: str
    reason: Literal["bounced", "complained"]
    created_at: str


class SuspendBody(Record):
    reason: str
    reject_pending: bool | None


class TermsBackTestBody(Record):
    rules: List[CommissionRuleDto] | None
    commission: CommissionTermsBody | None
    groups: List[TriedGroupBody] | None
    date_from: str | None
    date_to: str | None


class TermsBackTestDto(Record):
    conversions: int
    changed: int
    before: List[TriedAmountDto]
    after: List[TriedAmountDto]
    by_partner: List[TriedPartnerDto]
    examples: List[TriedSaleDto]
    truncated: bool


class TheirTermsDto(Record):
    name: str
    commission: str | None
    recurring: str | None
    cookie_days: int | None


class TicketDto(Record):
    ticket: str
    expires_at: str


class TiersBody(Record):
    metric: Literal["customers", "conversions", "revenue"]
    window: Literal["lifetime"] | None
    demote: bool | None
    steps: List[TierStepDto]


class TiersDto(Record):
    metric: Literal["customers", "conversions", "revenue"]
    window: Literal["lifetime"]
    demote: bool
    steps: List[TierStepDto]


class TierStepDto(Record):
    at_least: int
    group_id: str


class TracedCustomerDto(Record):
    source: Literal["signup", "conversion", "stripe", "paddle", "polar", "import", "manual"]
    bound_at: str
    first_paid_at: str | None
    months: int


class TracedParticipantDto(Record):
    id: str
    status: Literal["pending", "approved", "rejected", "suspended", "left"]
    erased: bool


class TracedProgramDto(Record):
    id: str
    status: Literal["draft", "active", "paused", "archived"]


class TrackedBillerDto(Record):
    biller: Literal["stripe", "paddle", "polar"]
    last_event_at: str | None


class TrackedOriginDto(Record):
    origin: str
    clicks: int
    last_seen_at: str


class TrackingDto(Record):
    script: TrackingScriptDto
    guide_url: str
    last_click_at: str | None
    last_unknown_ref: UnknownRefDto | None
    last_conversion_at: str | None
    last_stripe_event_at: str | None
    billers: List[TrackedBillerDto]
    origins: List[TrackedOriginDto]


class TrackingLinkDto(Record):
    id: str
    token: str
    url: str
    name: str | None
    target_url: str
    clicks: int
    conversions: int


class TrackingScriptDto(Record):
    url: str
    integrity: str


class TrendBucketDto(Record):
    start: str
    value: int


class TrendDto(Record):
    currency: str
    buckets: List[TrendBucketDto]


class TriedAmountDto(Record):
    currency: str
    amount_cents: int


class TriedGroupBody(Record):
    group_id: str
    commission: CommissionTermsBody | None


class TriedPartnerDto(Record):
    participant_id: str
    partner_name: str
    before: List[TriedAmountDto]
    after: List[TriedAmountDto]


class TriedSaleDto(Record):
    conversion_id: str
    before: TriedAmountDto | None
    after: TriedAmountDto | None
    rule_before: str | None
    rule_after: str | None


class TwoFactorSetupDto(Record):
    secret: str
    otpauth_url: str


class UnknownRefDto(Record):
    ref: str
    at: str


class UpdateGroupBody(Record):
    description: str | None
    commission: CommissionTermsBody | None
    hold_days: int | None
    auto_approve: bool | None
    public_applications: bool | None
    approval_mode: Literal["auto", "manual"] | None
    name: str | None
    notify: bool | None


class UpdatePartnerAccountBody(Record):
    name: str | None
    vat_id: str | None


class UpdateProgramBody(Record):
    description: str | None
    currency: str | None
    status: Literal["draft", "active", "paused"] | None
    attribution_window_days: int | None
    approval_mode: Literal["auto", "manual"] | None
    public_applications: bool | None
    hold_days: int | None
    auto_approve: bool | None
    accepted_currencies: List[str] | None
    review_above_cents: int | None
    min_payout_cents: int | None
    sales_from: Literal["both", "api", "stripe", "paddle", "polar"] | None
    banned_sources: List[str] | None
    name: str | None
    website_url: str | None
    commission: CommissionTermsBody | None
    notify: bool | None


class UpdateWebhookBody(Record):
    url: str | None
    events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]] | None
    description: str | None
    active: bool | None


class UpdateWorkspaceBody(Record):
    name: str | None
    test_email_redirect: str | None
    require_two_factor: bool | None
    payout_daily_limits: List[DailyLimitDto] | None
    payout_approval: Literal["one", "two"] | None
    code: str | None


class VerifyEmailBody(Record):
    token: str


class WebhookDto(Record):
    id: str
    url: str
    events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]]
    description: str | None
    active: bool
    mode: Literal["test", "live"]
    disabled_reason: str | None
    created_at: str
    updated_at: str


class WebhookTestEvent(Record):
    id: str
    type: Literal["webhook.test"]
    api_version: Literal["v1"]
    mode: Literal["test", "live"]
    created_at: str
    sequence: int
    test: bool | None
    data: WebhookTestEventData


class WebhookTestEventData(Record):
    object: EventWebhookDto


class WebhookWithSecretDto(Record):
    id: str
    url: str
    events: List[Literal["conversion.created", "conversion.refunded", "conversion.fraud_detected", "commission.created", "commission.approved", "commission.rejected", "commission.refunded", "commission.paid", "commission.updated", "participant.applied", "participant.approved", "participant.rejected", "participant.suspended", "participant.erased", "participant.moved", "payout.created", "payout.completed", "payout.cancelled", "payout.item_returned", "payout.item_updated", "webhook.test", "*"]]
    description: str | None
    active: bool
    mode: Literal["test", "live"]
    disabled_reason: str | None
    created_at: str
    updated_at: str
    signing_secret: str


class WindowDto(Record):
    clicked_at: str
    occurred_at: str
    window_ends_at: str
    seconds_since_click: float
    seconds_to_end: float
    inside: bool


class WorkspaceDto(Record):
    id: str
    name: str
    test_email_redirect: str | None
    require_two_factor: bool
    payout_daily_limits: List[DailyLimitDto]
    payout_approval: Literal["one", "two"]
    created_at: str
    updated_at: str
    closes_at: str | None


WebhookEvent = Union[
    ConversionCreatedEvent,
    ConversionRefundedEvent,
    ConversionFraudDetectedEvent,
    CommissionCreatedEvent,
    CommissionApprovedEvent,
    CommissionRejectedEvent,
    CommissionRefundedEvent,
    CommissionPaidEvent,
    CommissionUpdatedEvent,
    ParticipantAppliedEvent,
    ParticipantApprovedEvent,
    ParticipantRejectedEvent,
    ParticipantSuspendedEvent,
    ParticipantErasedEvent,
    ParticipantMovedEvent,
    PayoutCreatedEvent,
    PayoutCompletedEvent,
    PayoutCancelledEvent,
    PayoutItemReturnedEvent,
    PayoutItemUpdatedEvent,
    WebhookTestEvent,
]
"""Every event that a webhook receives, told apart by its `type`."""
