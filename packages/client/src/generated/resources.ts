// Written by `npm run openapi` from the OpenAPI document. Do not edit.

import type { Call, ListCall } from '../calls.ts';
import type {
  AcceptMemberInviteData,
  AcceptMemberInviteError,
  AcceptMemberInviteResponse,
  AcceptPartnerInviteData,
  AcceptPartnerInviteError,
  AcceptPartnerInviteResponse,
  AddPartnerData,
  AddPartnerError,
  AddPartnerResponse,
  AddPromoCodeData,
  AddPromoCodeError,
  AddPromoCodeResponse,
  AdjustBalanceData,
  AdjustBalanceError,
  AdjustBalanceResponse,
  AnnounceImportData,
  AnnounceImportError,
  AnnounceImportResponse,
  ApplyImportData,
  ApplyImportError,
  ApplyImportResponse,
  ApplyToProgramData,
  ApplyToProgramError,
  ApplyToProgramResponse,
  ApproveCommissionData,
  ApproveCommissionError,
  ApproveCommissionOverrideData,
  ApproveCommissionOverrideError,
  ApproveCommissionOverrideResponse,
  ApproveCommissionResponse,
  ApproveParticipantData,
  ApproveParticipantError,
  ApproveParticipantResponse,
  ArchiveProgramData,
  ArchiveProgramError,
  ArchiveProgramResponse,
  AskPayoutBatchData,
  AskPayoutBatchError,
  AskPayoutBatchResponse,
  BackTestCommissionRulesData,
  BackTestCommissionRulesError,
  BackTestCommissionRulesResponse,
  BackTestFraudRulesData,
  BackTestFraudRulesError,
  BackTestFraudRulesResponse,
  BindCustomerData,
  BindCustomerError,
  BindCustomerResponse,
  BulkApproveCommissionsData,
  BulkApproveCommissionsError,
  BulkApproveCommissionsResponse,
  BulkMoveParticipantsData,
  BulkMoveParticipantsError,
  BulkMoveParticipantsResponse,
  BulkRejectCommissionsData,
  BulkRejectCommissionsError,
  BulkRejectCommissionsResponse,
  CancelImportData,
  CancelImportError,
  CancelImportResponse,
  CancelPayoutData,
  CancelPayoutError,
  CancelPayoutResponse,
  CancelUnclaimedPayoutItemData,
  CancelUnclaimedPayoutItemError,
  CancelUnclaimedPayoutItemResponse,
  ChangeEmailMerchantData,
  ChangeEmailMerchantError,
  ChangeEmailMerchantResponse,
  ChangeEmailPartnerData,
  ChangeEmailPartnerError,
  ChangeEmailPartnerResponse,
  ChangeImportData,
  ChangeImportError,
  ChangeImportResponse,
  ChangeMemberRoleData,
  ChangeMemberRoleError,
  ChangeMemberRoleResponse,
  ChangePasswordMerchantData,
  ChangePasswordMerchantError,
  ChangePasswordMerchantResponse,
  ChangePasswordPartnerData,
  ChangePasswordPartnerError,
  ChangePasswordPartnerResponse,
  ChangeReferralCodeData,
  ChangeReferralCodeError,
  ChangeReferralCodeResponse,
  CheckImportData,
  CheckImportError,
  CheckImportResponse,
  ClaimPartnerAccountData,
  ClaimPartnerAccountError,
  ClaimPartnerAccountResponse,
  CloseWorkspaceData,
  CloseWorkspaceError,
  CloseWorkspaceResponse,
  CommissionApprovedEvent,
  CommissionCreatedEvent,
  CommissionPaidEvent,
  CommissionRefundedEvent,
  CommissionRejectedEvent,
  CommissionUpdatedEvent,
  CompletePayoutData,
  CompletePayoutError,
  CompletePayoutResponse,
  ConversionCreatedEvent,
  ConversionFraudDetectedEvent,
  ConversionRefundedEvent,
  CountMerchantUnreadNotificationsData,
  CountMerchantUnreadNotificationsError,
  CountMerchantUnreadNotificationsResponse,
  CountPartnerUnreadNotificationsData,
  CountPartnerUnreadNotificationsError,
  CountPartnerUnreadNotificationsResponse,
  CreateApiKeyData,
  CreateApiKeyError,
  CreateApiKeyResponse,
  CreateGroupData,
  CreateGroupError,
  CreateGroupResponse,
  CreateImportData,
  CreateImportError,
  CreateImportResponse,
  CreateMerchantStreamTicketData,
  CreateMerchantStreamTicketError,
  CreateMerchantStreamTicketResponse,
  CreatePartnerLinkData,
  CreatePartnerLinkError,
  CreatePartnerLinkResponse,
  CreatePartnerStreamTicketData,
  CreatePartnerStreamTicketError,
  CreatePartnerStreamTicketResponse,
  CreatePayoutData,
  CreatePayoutError,
  CreatePayoutResponse,
  CreateProgramData,
  CreateProgramError,
  CreateProgramResponse,
  CreateWebhookData,
  CreateWebhookError,
  CreateWebhookResponse,
  DeleteBillerConnectionData,
  DeleteBillerConnectionError,
  DeleteBillerConnectionResponse,
  DeleteGroupData,
  DeleteGroupError,
  DeleteGroupResponse,
  DeletePartnerInviteData,
  DeletePartnerInviteError,
  DeletePartnerInviteResponse,
  DeletePartnerLinkData,
  DeletePartnerLinkError,
  DeletePartnerLinkResponse,
  DeletePayoutMethodData,
  DeletePayoutMethodError,
  DeletePayoutMethodResponse,
  DeletePayoutProviderData,
  DeletePayoutProviderError,
  DeletePayoutProviderResponse,
  DeleteStripeConnectionData,
  DeleteStripeConnectionError,
  DeleteStripeConnectionResponse,
  DeleteWebhookData,
  DeleteWebhookError,
  DeleteWebhookResponse,
  DisableTwoFactorMerchantData,
  DisableTwoFactorMerchantError,
  DisableTwoFactorMerchantResponse,
  DisableTwoFactorPartnerData,
  DisableTwoFactorPartnerError,
  DisableTwoFactorPartnerResponse,
  DismissMerchantNotificationData,
  DismissMerchantNotificationError,
  DismissMerchantNotificationResponse,
  DismissPartnerNotificationData,
  DismissPartnerNotificationError,
  DismissPartnerNotificationResponse,
  DismissReadMerchantNotificationsData,
  DismissReadMerchantNotificationsError,
  DismissReadMerchantNotificationsResponse,
  DismissReadPartnerNotificationsData,
  DismissReadPartnerNotificationsError,
  DismissReadPartnerNotificationsResponse,
  DryRunConversionData,
  DryRunConversionError,
  DryRunConversionResponse,
  ElapseCommissionHoldData,
  ElapseCommissionHoldError,
  ElapseCommissionHoldResponse,
  EnableTwoFactorMerchantData,
  EnableTwoFactorMerchantError,
  EnableTwoFactorMerchantResponse,
  EnableTwoFactorPartnerData,
  EnableTwoFactorPartnerError,
  EnableTwoFactorPartnerResponse,
  EndSessionMerchantData,
  EndSessionMerchantError,
  EndSessionMerchantResponse,
  EndSessionPartnerData,
  EndSessionPartnerError,
  EndSessionPartnerResponse,
  EraseCustomerData,
  EraseCustomerError,
  EraseCustomerResponse,
  EraseParticipantData,
  EraseParticipantError,
  EraseParticipantResponse,
  ErasePartnerAccountData,
  ErasePartnerAccountError,
  ErasePartnerAccountResponse,
  ErasePartnerInvitesData,
  ErasePartnerInvitesError,
  ErasePartnerInvitesResponse,
  ExpireClickData,
  ExpireClickError,
  ExpireClickResponse,
  ExportAllCommissionsData,
  ExportAllCommissionsError,
  ExportCommissionsData,
  ExportCommissionsError,
  ExportParticipantData,
  ExportParticipantError,
  ExportParticipantResponse,
  ExportPartnerAccountData,
  ExportPartnerAccountError,
  ExportPartnerAccountResponse,
  ExportPartnerPerformanceData,
  ExportPartnerPerformanceError,
  ExportPayoutData,
  ExportPayoutError,
  ExportProgramData,
  ExportProgramError,
  ExportTermsData,
  ExportTermsError,
  ExportTermsResponse,
  ForgotPasswordMerchantData,
  ForgotPasswordMerchantError,
  ForgotPasswordMerchantResponse,
  ForgotPasswordPartnerData,
  ForgotPasswordPartnerError,
  ForgotPasswordPartnerResponse,
  GetAllCommissionStatsData,
  GetAllCommissionStatsError,
  GetAllCommissionStatsResponse,
  GetApiKeyData,
  GetApiKeyError,
  GetApiKeyResponse,
  GetBillerConnectionData,
  GetBillerConnectionError,
  GetBillerConnectionResponse,
  GetBonusesData,
  GetBonusesError,
  GetBonusesResponse,
  GetClickData,
  GetClickError,
  GetClickResponse,
  GetCommissionData,
  GetCommissionError,
  GetCommissionResponse,
  GetCommissionRulesData,
  GetCommissionRulesError,
  GetCommissionRulesResponse,
  GetCommissionStatsData,
  GetCommissionStatsError,
  GetCommissionStatsResponse,
  GetConversionData,
  GetConversionError,
  GetConversionResponse,
  GetCustomerData,
  GetCustomerError,
  GetCustomerResponse,
  GetDecisionData,
  GetDecisionError,
  GetDecisionResponse,
  GetEventData,
  GetEventError,
  GetEventResponse,
  GetFraudRulesData,
  GetFraudRulesError,
  GetFraudRulesResponse,
  GetFraudSummaryData,
  GetFraudSummaryError,
  GetFraudSummaryResponse,
  GetGroupData,
  GetGroupError,
  GetGroupResponse,
  GetImportData,
  GetImportError,
  GetImportResponse,
  GetInboxData,
  GetInboxError,
  GetInboxResponse,
  GetMemberData,
  GetMemberError,
  GetMemberResponse,
  GetMerchantAccountData,
  GetMerchantAccountError,
  GetMerchantAccountResponse,
  GetMerchantNotificationPreferencesData,
  GetMerchantNotificationPreferencesError,
  GetMerchantNotificationPreferencesResponse,
  GetMetricsData,
  GetMetricsError,
  GetMetricsResponse,
  GetNotificationLogEntryData,
  GetNotificationLogEntryError,
  GetNotificationLogEntryResponse,
  GetParticipantBalanceData,
  GetParticipantBalanceError,
  GetParticipantBalanceResponse,
  GetParticipantData,
  GetParticipantError,
  GetParticipantResponse,
  GetPartnerAccountData,
  GetPartnerAccountError,
  GetPartnerAccountResponse,
  GetPartnerBalancesData,
  GetPartnerBalancesError,
  GetPartnerBalancesResponse,
  GetPartnerCommissionData,
  GetPartnerCommissionError,
  GetPartnerCommissionResponse,
  GetPartnerCommissionStatsData,
  GetPartnerCommissionStatsError,
  GetPartnerCommissionStatsResponse,
  GetPartnerInviteData,
  GetPartnerInviteError,
  GetPartnerInviteResponse,
  GetPartnerLinkData,
  GetPartnerLinkError,
  GetPartnerLinkQrCodeData,
  GetPartnerLinkQrCodeError,
  GetPartnerLinkResponse,
  GetPartnerMetricsData,
  GetPartnerMetricsError,
  GetPartnerMetricsResponse,
  GetPartnerNotificationPreferencesData,
  GetPartnerNotificationPreferencesError,
  GetPartnerNotificationPreferencesResponse,
  GetPartnerProgramData,
  GetPartnerProgramError,
  GetPartnerProgramResponse,
  GetPartnerTrendData,
  GetPartnerTrendError,
  GetPartnerTrendResponse,
  GetPayoutData,
  GetPayoutError,
  GetPayoutFileData,
  GetPayoutFileError,
  GetPayoutMethodData,
  GetPayoutMethodError,
  GetPayoutMethodResponse,
  GetPayoutResponse,
  GetProgramData,
  GetProgramError,
  GetProgramResponse,
  GetPublicProgramData,
  GetPublicProgramError,
  GetPublicProgramResponse,
  GetStripeConnectionData,
  GetStripeConnectionError,
  GetStripeConnectionResponse,
  GetTestDataResetData,
  GetTestDataResetError,
  GetTestDataResetResponse,
  GetTiersData,
  GetTiersError,
  GetTiersResponse,
  GetTrackingData,
  GetTrackingError,
  GetTrackingResponse,
  GetTrendData,
  GetTrendError,
  GetTrendResponse,
  GetWebhookData,
  GetWebhookDeliveryData,
  GetWebhookDeliveryError,
  GetWebhookDeliveryResponse,
  GetWebhookError,
  GetWebhookResponse,
  GetWorkspaceData,
  GetWorkspaceError,
  GetWorkspaceResponse,
  InviteMemberData,
  InviteMemberError,
  InviteMemberResponse,
  InvitePartnerData,
  InvitePartnerError,
  InvitePartnerResponse,
  LeaveProgramData,
  LeaveProgramError,
  LeaveProgramResponse,
  LiftSuppressedAddressData,
  LiftSuppressedAddressError,
  LiftSuppressedAddressResponse,
  ListAllCommissionsData,
  ListAllCommissionsError,
  ListAllCommissionsResponse,
  ListApiKeysData,
  ListApiKeysError,
  ListApiKeysResponse,
  ListAuditLogData,
  ListAuditLogError,
  ListAuditLogResponse,
  ListBillerEventsData,
  ListBillerEventsError,
  ListBillerEventsResponse,
  ListCommissionsData,
  ListCommissionsError,
  ListCommissionsResponse,
  ListConversionsData,
  ListConversionsError,
  ListConversionsResponse,
  ListCustomersData,
  ListCustomersError,
  ListCustomersResponse,
  ListDecisionsData,
  ListDecisionsError,
  ListDecisionsResponse,
  ListErasureReceiptsData,
  ListErasureReceiptsError,
  ListErasureReceiptsResponse,
  ListEventsData,
  ListEventsError,
  ListEventsResponse,
  ListFraudFlagsData,
  ListFraudFlagsError,
  ListFraudFlagsResponse,
  ListGroupsData,
  ListGroupsError,
  ListGroupsResponse,
  ListImportFilesData,
  ListImportFilesError,
  ListImportFilesResponse,
  ListImportProblemsData,
  ListImportProblemsError,
  ListImportsData,
  ListImportsError,
  ListImportsResponse,
  ListInboxPlacesData,
  ListInboxPlacesError,
  ListInboxPlacesResponse,
  ListLedgerData,
  ListLedgerError,
  ListLedgerResponse,
  ListMembersData,
  ListMembersError,
  ListMembersResponse,
  ListMerchantNotificationsData,
  ListMerchantNotificationsError,
  ListMerchantNotificationsResponse,
  ListNotificationLogData,
  ListNotificationLogError,
  ListNotificationLogResponse,
  ListParticipantGroupsData,
  ListParticipantGroupsError,
  ListParticipantGroupsResponse,
  ListParticipantLinksData,
  ListParticipantLinksError,
  ListParticipantLinksResponse,
  ListParticipantNamesData,
  ListParticipantNamesError,
  ListParticipantNamesResponse,
  ListParticipantsData,
  ListParticipantsError,
  ListParticipantsResponse,
  ListPartnerCommissionsData,
  ListPartnerCommissionsError,
  ListPartnerCommissionsResponse,
  ListPartnerInvitesData,
  ListPartnerInvitesError,
  ListPartnerInvitesResponse,
  ListPartnerLinksData,
  ListPartnerLinksError,
  ListPartnerLinksResponse,
  ListPartnerNotificationsData,
  ListPartnerNotificationsError,
  ListPartnerNotificationsResponse,
  ListPartnerPayoutsData,
  ListPartnerPayoutsError,
  ListPartnerPayoutsResponse,
  ListPartnerPerformanceData,
  ListPartnerPerformanceError,
  ListPartnerPerformanceResponse,
  ListPartnerProgramsData,
  ListPartnerProgramsError,
  ListPartnerProgramsResponse,
  ListPayoutBatchesData,
  ListPayoutBatchesError,
  ListPayoutBatchesResponse,
  ListPayoutProvidersData,
  ListPayoutProvidersError,
  ListPayoutProvidersResponse,
  ListPayoutStatementData,
  ListPayoutStatementEntriesData,
  ListPayoutStatementEntriesError,
  ListPayoutStatementEntriesResponse,
  ListPayoutStatementError,
  ListPayoutStatementResponse,
  ListPayoutsData,
  ListPayoutsError,
  ListPayoutsResponse,
  ListProgramCustomersData,
  ListProgramCustomersError,
  ListProgramCustomersResponse,
  ListProgramsData,
  ListProgramsError,
  ListProgramsResponse,
  ListPromoCodesData,
  ListPromoCodesError,
  ListPromoCodesResponse,
  ListRefundsData,
  ListRefundsError,
  ListRefundsResponse,
  ListSessionsMerchantData,
  ListSessionsMerchantError,
  ListSessionsMerchantResponse,
  ListSessionsPartnerData,
  ListSessionsPartnerError,
  ListSessionsPartnerResponse,
  ListStripeEventsData,
  ListStripeEventsError,
  ListStripeEventsResponse,
  ListSuppressedAddressesData,
  ListSuppressedAddressesError,
  ListSuppressedAddressesResponse,
  ListTopPartnersData,
  ListTopPartnersError,
  ListTopPartnersResponse,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesError,
  ListWebhookDeliveriesResponse,
  ListWebhooksData,
  ListWebhooksError,
  ListWebhooksResponse,
  LoginMerchantData,
  LoginMerchantError,
  LoginMerchantResponse,
  LoginPartnerData,
  LoginPartnerError,
  LoginPartnerResponse,
  LogoutMerchantData,
  LogoutMerchantError,
  LogoutMerchantResponse,
  LogoutPartnerData,
  LogoutPartnerError,
  LogoutPartnerResponse,
  MarkPayoutItemData,
  MarkPayoutItemError,
  MarkPayoutItemResponse,
  MoveParticipantData,
  MoveParticipantError,
  MoveParticipantResponse,
  ParticipantAppliedEvent,
  ParticipantApprovedEvent,
  ParticipantErasedEvent,
  ParticipantMovedEvent,
  ParticipantRejectedEvent,
  ParticipantSuspendedEvent,
  PayoutCancelledEvent,
  PayoutCompletedEvent,
  PayoutCreatedEvent,
  PayoutItemReturnedEvent,
  PayoutItemUpdatedEvent,
  PingWebhookData,
  PingWebhookError,
  PingWebhookResponse,
  PreviewPartnerInviteData,
  PreviewPartnerInviteError,
  PreviewPartnerInviteResponse,
  PreviewPayoutData,
  PreviewPayoutError,
  PreviewPayoutResponse,
  PutBillerConnectionData,
  PutBillerConnectionError,
  PutBillerConnectionResponse,
  PutImportFileData,
  PutImportFileError,
  PutImportFileResponse,
  PutPayoutMethodData,
  PutPayoutMethodError,
  PutPayoutMethodResponse,
  PutPayoutProviderData,
  PutPayoutProviderError,
  PutPayoutProviderResponse,
  PutStripeConnectionData,
  PutStripeConnectionError,
  PutStripeConnectionResponse,
  ReadAllMerchantNotificationsData,
  ReadAllMerchantNotificationsError,
  ReadAllMerchantNotificationsResponse,
  ReadAllPartnerNotificationsData,
  ReadAllPartnerNotificationsError,
  ReadAllPartnerNotificationsResponse,
  ReadMerchantNotificationData,
  ReadMerchantNotificationError,
  ReadMerchantNotificationResponse,
  ReadPartnerNotificationData,
  ReadPartnerNotificationError,
  ReadPartnerNotificationResponse,
  RecordClickData,
  RecordClickError,
  RecordClickResponse,
  RefreshMerchantData,
  RefreshMerchantError,
  RefreshMerchantResponse,
  RefreshPartnerData,
  RefreshPartnerError,
  RefreshPartnerResponse,
  RefundConversionData,
  RefundConversionError,
  RefundConversionResponse,
  RefuseEmailData,
  RefuseEmailError,
  RefuseEmailResponse,
  RegisterMerchantData,
  RegisterMerchantError,
  RegisterMerchantResponse,
  RegisterPartnerData,
  RegisterPartnerError,
  RegisterPartnerResponse,
  ReinstateParticipantData,
  ReinstateParticipantError,
  ReinstateParticipantResponse,
  RejectCommissionData,
  RejectCommissionError,
  RejectCommissionResponse,
  RejectParticipantData,
  RejectParticipantError,
  RejectParticipantResponse,
  RemoveImportFileData,
  RemoveImportFileError,
  RemoveImportFileResponse,
  RemoveMemberData,
  RemoveMemberError,
  RemoveMemberResponse,
  RemovePromoCodeData,
  RemovePromoCodeError,
  RemovePromoCodeResponse,
  RenewRecoveryCodesMerchantData,
  RenewRecoveryCodesMerchantError,
  RenewRecoveryCodesMerchantResponse,
  RenewRecoveryCodesPartnerData,
  RenewRecoveryCodesPartnerError,
  RenewRecoveryCodesPartnerResponse,
  ReopenWorkspaceData,
  ReopenWorkspaceError,
  ReopenWorkspaceResponse,
  ReplaceBonusesData,
  ReplaceBonusesError,
  ReplaceBonusesResponse,
  ReplaceCommissionRulesData,
  ReplaceCommissionRulesError,
  ReplaceCommissionRulesResponse,
  ReplaceTiersData,
  ReplaceTiersError,
  ReplaceTiersResponse,
  ReplayBillerEventData,
  ReplayBillerEventError,
  ReplayBillerEventResponse,
  ReplayStripeEventData,
  ReplayStripeEventError,
  ReplayStripeEventResponse,
  ReplayWebhookDeliveryData,
  ReplayWebhookDeliveryError,
  ReplayWebhookDeliveryResponse,
  ReportConversionData,
  ReportConversionError,
  ReportConversionResponse,
  ReportPayoutNotReceivedData,
  ReportPayoutNotReceivedError,
  ReportPayoutNotReceivedResponse,
  ReportPayoutResultsData,
  ReportPayoutResultsError,
  ReportPayoutResultsResponse,
  ResendPartnerInviteData,
  ResendPartnerInviteError,
  ResendPartnerInviteResponse,
  ResendVerificationMerchantData,
  ResendVerificationMerchantError,
  ResendVerificationMerchantResponse,
  ResendVerificationPartnerData,
  ResendVerificationPartnerError,
  ResendVerificationPartnerResponse,
  ResetPasswordMerchantData,
  ResetPasswordMerchantError,
  ResetPasswordMerchantResponse,
  ResetPasswordPartnerData,
  ResetPasswordPartnerError,
  ResetPasswordPartnerResponse,
  ResetTestDataData,
  ResetTestDataError,
  ResetTestDataResponse,
  ResolveFraudFlagData,
  ResolveFraudFlagError,
  ResolveFraudFlagResponse,
  ResolvePayoutBatchData,
  ResolvePayoutBatchError,
  ResolvePayoutBatchResponse,
  RetryDeadLettersData,
  RetryDeadLettersError,
  RetryDeadLettersResponse,
  RetryWebhookDeliveryData,
  RetryWebhookDeliveryError,
  RetryWebhookDeliveryResponse,
  RevokeApiKeyData,
  RevokeApiKeyError,
  RevokeApiKeyResponse,
  RotateWebhookSecretData,
  RotateWebhookSecretError,
  RotateWebhookSecretResponse,
  SendPayoutData,
  SendPayoutError,
  SendPayoutResponse,
  SetUpTwoFactorMerchantData,
  SetUpTwoFactorMerchantError,
  SetUpTwoFactorMerchantResponse,
  SetUpTwoFactorPartnerData,
  SetUpTwoFactorPartnerError,
  SetUpTwoFactorPartnerResponse,
  SignUpCustomerData,
  SignUpCustomerError,
  SignUpCustomerResponse,
  StreamMerchantNotificationsData,
  StreamMerchantNotificationsError,
  StreamPartnerNotificationsData,
  StreamPartnerNotificationsError,
  SuspendParticipantData,
  SuspendParticipantError,
  SuspendParticipantResponse,
  SyncPromoCodeData,
  SyncPromoCodeError,
  SyncPromoCodeResponse,
  UnbindCustomerData,
  UnbindCustomerError,
  UnbindCustomerResponse,
  UndoImportData,
  UndoImportError,
  UndoImportResponse,
  UpdateFraudRulesData,
  UpdateFraudRulesError,
  UpdateFraudRulesResponse,
  UpdateGroupData,
  UpdateGroupError,
  UpdateGroupResponse,
  UpdateMerchantAccountData,
  UpdateMerchantAccountError,
  UpdateMerchantAccountResponse,
  UpdateMerchantNotificationPreferencesData,
  UpdateMerchantNotificationPreferencesError,
  UpdateMerchantNotificationPreferencesResponse,
  UpdatePartnerAccountData,
  UpdatePartnerAccountError,
  UpdatePartnerAccountResponse,
  UpdatePartnerNotificationPreferencesData,
  UpdatePartnerNotificationPreferencesError,
  UpdatePartnerNotificationPreferencesResponse,
  UpdateProgramData,
  UpdateProgramError,
  UpdateProgramResponse,
  UpdateWebhookData,
  UpdateWebhookError,
  UpdateWebhookResponse,
  UpdateWorkspaceData,
  UpdateWorkspaceError,
  UpdateWorkspaceResponse,
  VerifyEmailData,
  VerifyEmailError,
  VerifyEmailResponse,
  WebhookTestEvent,
} from './types.gen.ts';

/** One method for each operation of the API, by the group that it stands in. */
export interface Resources {
  analytics: {
    /** Revenue, clicks and conversions beside the period before */
    getMetrics: Call<GetMetricsData, GetMetricsResponse, GetMetricsError>;
    /** One figure by local day or ISO week */
    getTrend: Call<GetTrendData, GetTrendResponse, GetTrendError>;
    /** Count what the fraud rules found */
    getFraudSummary: Call<GetFraudSummaryData, GetFraudSummaryResponse, GetFraudSummaryError>;
    /** The ten partners with most revenue */
    listTopPartners: Call<ListTopPartnersData, ListTopPartnersResponse, ListTopPartnersError>;
    /** Performance of partners */
    listPartnerPerformance: ListCall<ListPartnerPerformanceData, ListPartnerPerformanceResponse, ListPartnerPerformanceError>;
    /** Export the performance of partners as CSV */
    exportPartnerPerformance: Call<ExportPartnerPerformanceData, string, ExportPartnerPerformanceError>;
  };
  apiKeys: {
    /** List the API keys */
    list: ListCall<ListApiKeysData, ListApiKeysResponse, ListApiKeysError>;
    /** Create an API key */
    create: Call<CreateApiKeyData, CreateApiKeyResponse, CreateApiKeyError>;
    /** Read an API key */
    get: Call<GetApiKeyData, GetApiKeyResponse, GetApiKeyError>;
    /** Revoke an API key */
    revoke: Call<RevokeApiKeyData, RevokeApiKeyResponse, RevokeApiKeyError>;
  };
  attribution: {
    /** List attribution decisions, newest first */
    listDecisions: ListCall<ListDecisionsData, ListDecisionsResponse, ListDecisionsError>;
    /** Get a decision with everything that was looked at */
    getDecision: Call<GetDecisionData, GetDecisionResponse, GetDecisionError>;
    /** See how a conversion would be decided, storing nothing */
    dryRun: Call<DryRunConversionData, DryRunConversionResponse, DryRunConversionError>;
  };
  billers: {
    /** Read the connection to a biller */
    getConnection: Call<GetBillerConnectionData, GetBillerConnectionResponse, GetBillerConnectionError>;
    /** Connect to a biller */
    putConnection: Call<PutBillerConnectionData, PutBillerConnectionResponse, PutBillerConnectionError>;
    /** Disconnect from a biller */
    deleteConnection: Call<DeleteBillerConnectionData, DeleteBillerConnectionResponse, DeleteBillerConnectionError>;
    /** List a biller's events */
    listEvents: ListCall<ListBillerEventsData, ListBillerEventsResponse, ListBillerEventsError>;
    /** Process one of a biller's events again */
    replayEvent: Call<ReplayBillerEventData, ReplayBillerEventResponse, ReplayBillerEventError>;
  };
  bonuses: {
    /** Read the bonuses of a programme */
    get: Call<GetBonusesData, GetBonusesResponse, GetBonusesError>;
    /** Replace the bonuses of a programme */
    replace: Call<ReplaceBonusesData, ReplaceBonusesResponse, ReplaceBonusesError>;
  };
  commissions: {
    /** List commissions across programmes */
    list: ListCall<ListAllCommissionsData, ListAllCommissionsResponse, ListAllCommissionsError>;
    /** Count and sum commissions across programmes */
    stats: Call<GetAllCommissionStatsData, GetAllCommissionStatsResponse, GetAllCommissionStatsError>;
    /** Export commissions across programmes as CSV */
    export: Call<ExportAllCommissionsData, string, ExportAllCommissionsError>;
    /** List the commissions of a programme */
    listOfProgram: ListCall<ListCommissionsData, ListCommissionsResponse, ListCommissionsError>;
    /** Count and sum the commissions of a programme */
    statsOfProgram: Call<GetCommissionStatsData, GetCommissionStatsResponse, GetCommissionStatsError>;
    /** Export the commissions of a programme as CSV */
    exportOfProgram: Call<ExportCommissionsData, string, ExportCommissionsError>;
    /** Approve up to 100 commissions */
    bulkApprove: Call<BulkApproveCommissionsData, BulkApproveCommissionsResponse, BulkApproveCommissionsError>;
    /** Reject up to 100 commissions for one reason */
    bulkReject: Call<BulkRejectCommissionsData, BulkRejectCommissionsResponse, BulkRejectCommissionsError>;
    /** Approve a commission whose hold is over */
    approve: Call<ApproveCommissionData, ApproveCommissionResponse, ApproveCommissionError>;
    /** Approve a commission before its hold is over */
    approveOverride: Call<ApproveCommissionOverrideData, ApproveCommissionOverrideResponse, ApproveCommissionOverrideError>;
    /** Reject a pending or approved commission */
    reject: Call<RejectCommissionData, RejectCommissionResponse, RejectCommissionError>;
    /** End the hold of a commission now (test mode) */
    elapseHold: Call<ElapseCommissionHoldData, ElapseCommissionHoldResponse, ElapseCommissionHoldError>;
    /** Read a commission with its history and ledger */
    get: Call<GetCommissionData, GetCommissionResponse, GetCommissionError>;
    /** Adjust a partner's balance */
    adjustBalance: Call<AdjustBalanceData, AdjustBalanceResponse, AdjustBalanceError>;
  };
  conversions: {
    /** Report a conversion */
    report: Call<ReportConversionData, ReportConversionResponse, ReportConversionError>;
    /** List conversions, newest first */
    list: ListCall<ListConversionsData, ListConversionsResponse, ListConversionsError>;
    /** Get a conversion */
    get: Call<GetConversionData, GetConversionResponse, GetConversionError>;
    /** Report a refund made outside Stripe */
    refund: Call<RefundConversionData, RefundConversionResponse, RefundConversionError>;
    /** List the refunds reported for a conversion, oldest first */
    listRefunds: ListCall<ListRefundsData, ListRefundsResponse, ListRefundsError>;
  };
  customers: {
    /** Tell of a sign-up */
    signUp: Call<SignUpCustomerData, SignUpCustomerResponse, SignUpCustomerError>;
    /** List customers, the last bound first */
    list: ListCall<ListCustomersData, ListCustomersResponse, ListCustomersError>;
    /** Get a customer */
    get: Call<GetCustomerData, GetCustomerResponse, GetCustomerError>;
    /** List the customers of a programme's partners */
    listProgram: ListCall<ListProgramCustomersData, ListProgramCustomersResponse, ListProgramCustomersError>;
    /** Bind a customer to a partner, or bind them anew */
    bind: Call<BindCustomerData, BindCustomerResponse, BindCustomerError>;
    /** Take the binding of a customer away */
    unbind: Call<UnbindCustomerData, UnbindCustomerResponse, UnbindCustomerError>;
  };
  erasure: {
    /** Erase your own account, in all programmes and both modes */
    erasePartnerAccount: Call<ErasePartnerAccountData, ErasePartnerAccountResponse, ErasePartnerAccountError>;
    /** Erase the personal data of one participant */
    eraseParticipant: Call<EraseParticipantData, EraseParticipantResponse, EraseParticipantError>;
    /** Erase the data of invites to a partner */
    erasePartnerInvites: Call<ErasePartnerInvitesData, ErasePartnerInvitesResponse, ErasePartnerInvitesError>;
    /** Erase the data of a buyer */
    eraseCustomer: Call<EraseCustomerData, EraseCustomerResponse, EraseCustomerError>;
    /** List what was erased, newest first */
    listReceipts: ListCall<ListErasureReceiptsData, ListErasureReceiptsResponse, ListErasureReceiptsError>;
    /** Export a partner's data in this programme */
    exportParticipant: Call<ExportParticipantData, ExportParticipantResponse, ExportParticipantError>;
    /** Export all that is kept of you, over all programmes and both modes */
    exportPartnerAccount: Call<ExportPartnerAccountData, ExportPartnerAccountResponse, ExportPartnerAccountError>;
  };
  fraud: {
    /** Get all fraud rules of a programme */
    getRules: Call<GetFraudRulesData, GetFraudRulesResponse, GetFraudRulesError>;
    /** Set fraud rules of a programme */
    updateRules: Call<UpdateFraudRulesData, UpdateFraudRulesResponse, UpdateFraudRulesError>;
    /** List what the fraud rules found, newest first */
    listFlags: ListCall<ListFraudFlagsData, ListFraudFlagsResponse, ListFraudFlagsError>;
    /** Close a fraud flag: confirmed or dismissed */
    resolveFlag: Call<ResolveFraudFlagData, ResolveFraudFlagResponse, ResolveFraudFlagError>;
    /** Try fraud rules on past conversions */
    backTestRules: Call<BackTestFraudRulesData, BackTestFraudRulesResponse, BackTestFraudRulesError>;
  };
  groups: {
    /** Make a group */
    create: Call<CreateGroupData, CreateGroupResponse, CreateGroupError>;
    /** List the groups of a programme */
    list: ListCall<ListGroupsData, ListGroupsResponse, ListGroupsError>;
    /** Read a group */
    get: Call<GetGroupData, GetGroupResponse, GetGroupError>;
    /** Change a group */
    update: Call<UpdateGroupData, UpdateGroupResponse, UpdateGroupError>;
    /** Delete a group that nothing leads into */
    delete: Call<DeleteGroupData, DeleteGroupResponse, DeleteGroupError>;
  };
  imports: {
    /** Begin an import of an existing programme */
    create: Call<CreateImportData, CreateImportResponse, CreateImportError>;
    /** List the imports of a programme */
    list: ListCall<ListImportsData, ListImportsResponse, ListImportsError>;
    /** Read an import */
    get: Call<GetImportData, GetImportResponse, GetImportError>;
    /** Change what an import takes */
    change: Call<ChangeImportData, ChangeImportResponse, ChangeImportError>;
    /** Read an import and tell what it would bring */
    check: Call<CheckImportData, CheckImportResponse, CheckImportError>;
    /** Cancel an import, or stop it between two batches */
    cancel: Call<CancelImportData, CancelImportResponse, CancelImportError>;
    /** Give an import a file */
    putFile: Call<PutImportFileData, PutImportFileResponse, PutImportFileError>;
    /** Take a file of an import away */
    removeFile: Call<RemoveImportFileData, RemoveImportFileResponse, RemoveImportFileError>;
    /** List the files of an import */
    listFiles: Call<ListImportFilesData, ListImportFilesResponse, ListImportFilesError>;
    /** List the rows of an import that are left out, as CSV */
    listProblems: Call<ListImportProblemsData, string, ListImportProblemsError>;
    /** Book what was checked */
    apply: Call<ApplyImportData, ApplyImportResponse, ApplyImportError>;
    /** Take back what an import booked */
    undo: Call<UndoImportData, UndoImportResponse, UndoImportError>;
    /** Tell the partners of an import that they are here */
    announce: Call<AnnounceImportData, AnnounceImportResponse, AnnounceImportError>;
    /** Export what a programme offers, as JSON */
    exportTerms: Call<ExportTermsData, ExportTermsResponse, ExportTermsError>;
    /** Export what a programme has, as CSV */
    exportProgram: Call<ExportProgramData, string, ExportProgramError>;
  };
  members: {
    /** List members and open invites */
    list: ListCall<ListMembersData, ListMembersResponse, ListMembersError>;
    /** Invite a member to the workspace */
    invite: Call<InviteMemberData, InviteMemberResponse, InviteMemberError>;
    /** Read a member or an open invite */
    get: Call<GetMemberData, GetMemberResponse, GetMemberError>;
    /** Change the role of a member or an open invite */
    changeRole: Call<ChangeMemberRoleData, ChangeMemberRoleResponse, ChangeMemberRoleError>;
    /** Remove a member, or withdraw an invite */
    remove: Call<RemoveMemberData, RemoveMemberResponse, RemoveMemberError>;
  };
  notifications: {
    /** Read the notification preferences of this account */
    getPreferences: Call<GetMerchantNotificationPreferencesData, GetMerchantNotificationPreferencesResponse, GetMerchantNotificationPreferencesError>;
    /** Change the notification preferences of this account */
    updatePreferences: Call<UpdateMerchantNotificationPreferencesData, UpdateMerchantNotificationPreferencesResponse, UpdateMerchantNotificationPreferencesError>;
    /** Get a ticket for the stream */
    createStreamTicket: Call<CreateMerchantStreamTicketData, CreateMerchantStreamTicketResponse, CreateMerchantStreamTicketError>;
    /** Receive notifications as they happen */
    stream: Call<StreamMerchantNotificationsData, Response, StreamMerchantNotificationsError>;
    /** List the notifications of the current mode */
    list: ListCall<ListMerchantNotificationsData, ListMerchantNotificationsResponse, ListMerchantNotificationsError>;
    /** Count the unread notifications of the current mode */
    countUnread: Call<CountMerchantUnreadNotificationsData, CountMerchantUnreadNotificationsResponse, CountMerchantUnreadNotificationsError>;
    /** Mark all notifications as read */
    readAll: Call<ReadAllMerchantNotificationsData, ReadAllMerchantNotificationsResponse, ReadAllMerchantNotificationsError>;
    /** Mark a notification as read */
    read: Call<ReadMerchantNotificationData, ReadMerchantNotificationResponse, ReadMerchantNotificationError>;
    /** Dismiss the notifications that this account has read */
    dismissRead: Call<DismissReadMerchantNotificationsData, DismissReadMerchantNotificationsResponse, DismissReadMerchantNotificationsError>;
    /** Dismiss a notification */
    dismiss: Call<DismissMerchantNotificationData, DismissMerchantNotificationResponse, DismissMerchantNotificationError>;
  };
  ownAccount: {
    /** Read your own account */
    getMerchantAccount: Call<GetMerchantAccountData, GetMerchantAccountResponse, GetMerchantAccountError>;
    /** Rename your own account */
    updateMerchantAccount: Call<UpdateMerchantAccountData, UpdateMerchantAccountResponse, UpdateMerchantAccountError>;
    /** Change your e-mail address */
    changeEmailMerchant: Call<ChangeEmailMerchantData, ChangeEmailMerchantResponse, ChangeEmailMerchantError>;
    /** Change your password */
    changePasswordMerchant: Call<ChangePasswordMerchantData, ChangePasswordMerchantResponse, ChangePasswordMerchantError>;
    /** List your sessions */
    listSessionsMerchant: ListCall<ListSessionsMerchantData, ListSessionsMerchantResponse, ListSessionsMerchantError>;
    /** End one of your sessions */
    endSessionMerchant: Call<EndSessionMerchantData, EndSessionMerchantResponse, EndSessionMerchantError>;
    /** Send the verification mail again */
    resendVerificationMerchant: Call<ResendVerificationMerchantData, ResendVerificationMerchantResponse, ResendVerificationMerchantError>;
    /** Change your e-mail address */
    changeEmailPartner: Call<ChangeEmailPartnerData, ChangeEmailPartnerResponse, ChangeEmailPartnerError>;
    /** Change your password */
    changePasswordPartner: Call<ChangePasswordPartnerData, ChangePasswordPartnerResponse, ChangePasswordPartnerError>;
    /** List your sessions */
    listSessionsPartner: ListCall<ListSessionsPartnerData, ListSessionsPartnerResponse, ListSessionsPartnerError>;
    /** End one of your sessions */
    endSessionPartner: Call<EndSessionPartnerData, EndSessionPartnerResponse, EndSessionPartnerError>;
    /** Send the verification mail again */
    resendVerificationPartner: Call<ResendVerificationPartnerData, ResendVerificationPartnerResponse, ResendVerificationPartnerError>;
    /** Begin to set up a second factor */
    setUpTwoFactorMerchant: Call<SetUpTwoFactorMerchantData, SetUpTwoFactorMerchantResponse, SetUpTwoFactorMerchantError>;
    /** Enable the second factor by a code of the app */
    enableTwoFactorMerchant: Call<EnableTwoFactorMerchantData, EnableTwoFactorMerchantResponse, EnableTwoFactorMerchantError>;
    /** Switch the second factor off */
    disableTwoFactorMerchant: Call<DisableTwoFactorMerchantData, DisableTwoFactorMerchantResponse, DisableTwoFactorMerchantError>;
    /** Make new recovery codes */
    renewRecoveryCodesMerchant: Call<RenewRecoveryCodesMerchantData, RenewRecoveryCodesMerchantResponse, RenewRecoveryCodesMerchantError>;
    /** Begin to set up a second factor */
    setUpTwoFactorPartner: Call<SetUpTwoFactorPartnerData, SetUpTwoFactorPartnerResponse, SetUpTwoFactorPartnerError>;
    /** Enable the second factor by a code of the app */
    enableTwoFactorPartner: Call<EnableTwoFactorPartnerData, EnableTwoFactorPartnerResponse, EnableTwoFactorPartnerError>;
    /** Switch the second factor off */
    disableTwoFactorPartner: Call<DisableTwoFactorPartnerData, DisableTwoFactorPartnerResponse, DisableTwoFactorPartnerError>;
    /** Make new recovery codes */
    renewRecoveryCodesPartner: Call<RenewRecoveryCodesPartnerData, RenewRecoveryCodesPartnerResponse, RenewRecoveryCodesPartnerError>;
  };
  partnerAccount: {
    /** Read your own account */
    get: Call<GetPartnerAccountData, GetPartnerAccountResponse, GetPartnerAccountError>;
    /** Change your own account */
    update: Call<UpdatePartnerAccountData, UpdatePartnerAccountResponse, UpdatePartnerAccountError>;
    /** Read how you are paid */
    getPayoutMethod: Call<GetPayoutMethodData, GetPayoutMethodResponse, GetPayoutMethodError>;
    /** Say how you are paid */
    putPayoutMethod: Call<PutPayoutMethodData, PutPayoutMethodResponse, PutPayoutMethodError>;
    /** Forget how you are paid */
    deletePayoutMethod: Call<DeletePayoutMethodData, DeletePayoutMethodResponse, DeletePayoutMethodError>;
  };
  partnerPortal: {
    /** List the partner's programmes of the current mode */
    listPrograms: ListCall<ListPartnerProgramsData, ListPartnerProgramsResponse, ListPartnerProgramsError>;
    /** Read a programme with the terms that apply to you */
    getProgram: Call<GetPartnerProgramData, GetPartnerProgramResponse, GetPartnerProgramError>;
    /** Leave a programme */
    leaveProgram: Call<LeaveProgramData, LeaveProgramResponse, LeaveProgramError>;
    /** Apply to a programme */
    applyToProgram: Call<ApplyToProgramData, ApplyToProgramResponse, ApplyToProgramError>;
    /** List the partner's links in a programme */
    listLinks: ListCall<ListPartnerLinksData, ListPartnerLinksResponse, ListPartnerLinksError>;
    /** Create a link */
    createLink: Call<CreatePartnerLinkData, CreatePartnerLinkResponse, CreatePartnerLinkError>;
    /** Read a link */
    getLink: Call<GetPartnerLinkData, GetPartnerLinkResponse, GetPartnerLinkError>;
    /** Delete a link */
    deleteLink: Call<DeletePartnerLinkData, DeletePartnerLinkResponse, DeletePartnerLinkError>;
    /** A link's address as a QR code */
    getLinkQrCode: Call<GetPartnerLinkQrCodeData, string, GetPartnerLinkQrCodeError>;
    /** List your own commissions */
    listCommissions: ListCall<ListPartnerCommissionsData, ListPartnerCommissionsResponse, ListPartnerCommissionsError>;
    /** Count and sum your own commissions */
    getCommissionStats: Call<GetPartnerCommissionStatsData, GetPartnerCommissionStatsResponse, GetPartnerCommissionStatsError>;
    /** Read an own commission with its history and ledger */
    getCommission: Call<GetPartnerCommissionData, GetPartnerCommissionResponse, GetPartnerCommissionError>;
    /** Read what you are owed, by currency */
    getBalances: Call<GetPartnerBalancesData, GetPartnerBalancesResponse, GetPartnerBalancesError>;
    /** List your own payouts, newest first */
    listPayouts: ListCall<ListPartnerPayoutsData, ListPartnerPayoutsResponse, ListPartnerPayoutsError>;
    /** Say that a payout did not arrive */
    reportPayoutNotReceived: Call<ReportPayoutNotReceivedData, ReportPayoutNotReceivedResponse, ReportPayoutNotReceivedError>;
    /** Your revenue, clicks and conversions beside the period before */
    getMetrics: Call<GetPartnerMetricsData, GetPartnerMetricsResponse, GetPartnerMetricsError>;
    /** One of your figures by local day or ISO week */
    getTrend: Call<GetPartnerTrendData, GetPartnerTrendResponse, GetPartnerTrendError>;
    /** Read the notification preferences of this account */
    getNotificationPreferences: Call<GetPartnerNotificationPreferencesData, GetPartnerNotificationPreferencesResponse, GetPartnerNotificationPreferencesError>;
    /** Change the notification preferences of this account */
    updateNotificationPreferences: Call<UpdatePartnerNotificationPreferencesData, UpdatePartnerNotificationPreferencesResponse, UpdatePartnerNotificationPreferencesError>;
    /** Get a ticket for the stream */
    createStreamTicket: Call<CreatePartnerStreamTicketData, CreatePartnerStreamTicketResponse, CreatePartnerStreamTicketError>;
    /** Receive notifications as they happen */
    streamNotifications: Call<StreamPartnerNotificationsData, Response, StreamPartnerNotificationsError>;
    /** List the notifications of the current mode */
    listNotifications: ListCall<ListPartnerNotificationsData, ListPartnerNotificationsResponse, ListPartnerNotificationsError>;
    /** Count the unread notifications of the current mode */
    countUnreadNotifications: Call<CountPartnerUnreadNotificationsData, CountPartnerUnreadNotificationsResponse, CountPartnerUnreadNotificationsError>;
    /** Mark all notifications as read */
    readAllNotifications: Call<ReadAllPartnerNotificationsData, ReadAllPartnerNotificationsResponse, ReadAllPartnerNotificationsError>;
    /** Mark a notification as read */
    readNotification: Call<ReadPartnerNotificationData, ReadPartnerNotificationResponse, ReadPartnerNotificationError>;
    /** Dismiss the notifications that this account has read */
    dismissReadNotifications: Call<DismissReadPartnerNotificationsData, DismissReadPartnerNotificationsResponse, DismissReadPartnerNotificationsError>;
    /** Dismiss a notification */
    dismissNotification: Call<DismissPartnerNotificationData, DismissPartnerNotificationResponse, DismissPartnerNotificationError>;
  };
  partners: {
    /** List the participants of a programme */
    list: ListCall<ListParticipantsData, ListParticipantsResponse, ListParticipantsError>;
    /** Add a partner from your server */
    add: Call<AddPartnerData, AddPartnerResponse, AddPartnerError>;
    /** Read a participant */
    get: Call<GetParticipantData, GetParticipantResponse, GetParticipantError>;
    /** List a participant's links */
    listLinks: ListCall<ListParticipantLinksData, ListParticipantLinksResponse, ListParticipantLinksError>;
    /** Move up to 100 partners to a group */
    bulkMove: Call<BulkMoveParticipantsData, BulkMoveParticipantsResponse, BulkMoveParticipantsError>;
    /** Move a partner to a group */
    move: Call<MoveParticipantData, MoveParticipantResponse, MoveParticipantError>;
    /** List the groups that a partner was in */
    listGroups: ListCall<ListParticipantGroupsData, ListParticipantGroupsResponse, ListParticipantGroupsError>;
    /** Approve a pending or rejected participant */
    approve: Call<ApproveParticipantData, ApproveParticipantResponse, ApproveParticipantError>;
    /** Reject a pending participant */
    reject: Call<RejectParticipantData, RejectParticipantResponse, RejectParticipantError>;
    /** Suspend an approved participant */
    suspend: Call<SuspendParticipantData, SuspendParticipantResponse, SuspendParticipantError>;
    /** Reinstate a suspended participant */
    reinstate: Call<ReinstateParticipantData, ReinstateParticipantResponse, ReinstateParticipantError>;
    /** Give a promo code to a participant */
    addPromoCode: Call<AddPromoCodeData, AddPromoCodeResponse, AddPromoCodeError>;
    /** List promo codes, and where each works */
    listPromoCodes: ListCall<ListPromoCodesData, ListPromoCodesResponse, ListPromoCodesError>;
    /** Have a promo code made at billers once more */
    syncPromoCode: Call<SyncPromoCodeData, SyncPromoCodeResponse, SyncPromoCodeError>;
    /** Take a promo code away; it is free again */
    removePromoCode: Call<RemovePromoCodeData, RemovePromoCodeResponse, RemovePromoCodeError>;
    /** Set the referral code */
    changeReferralCode: Call<ChangeReferralCodeData, ChangeReferralCodeResponse, ChangeReferralCodeError>;
    /** List the participants of all programmes by name, of the current mode */
    listNames: ListCall<ListParticipantNamesData, ListParticipantNamesResponse, ListParticipantNamesError>;
    /** Invite a partner by e-mail */
    invite: Call<InvitePartnerData, InvitePartnerResponse, InvitePartnerError>;
    /** List the invites of a programme, newest first */
    listInvites: ListCall<ListPartnerInvitesData, ListPartnerInvitesResponse, ListPartnerInvitesError>;
    /** Read an invite */
    getInvite: Call<GetPartnerInviteData, GetPartnerInviteResponse, GetPartnerInviteError>;
    /** Withdraw an invite; its link is dead */
    deleteInvite: Call<DeletePartnerInviteData, DeletePartnerInviteResponse, DeletePartnerInviteError>;
    /** Send an invite again, with a new link of 14 days */
    resendInvite: Call<ResendPartnerInviteData, ResendPartnerInviteResponse, ResendPartnerInviteError>;
    /** Read what an invite is for */
    previewInvite: Call<PreviewPartnerInviteData, PreviewPartnerInviteResponse, PreviewPartnerInviteError>;
    /** Take up an invite */
    acceptInvite: Call<AcceptPartnerInviteData, AcceptPartnerInviteResponse, AcceptPartnerInviteError>;
  };
  payouts: {
    /** Read what was owed, moved and is owed, by month */
    listStatement: ListCall<ListPayoutStatementData, ListPayoutStatementResponse, ListPayoutStatementError>;
    /** List the ledger entries behind a statement */
    listStatementEntries: ListCall<ListPayoutStatementEntriesData, ListPayoutStatementEntriesResponse, ListPayoutStatementEntriesError>;
    /** List the entries of the ledger, newest first */
    listLedger: ListCall<ListLedgerData, ListLedgerResponse, ListLedgerError>;
    /** Take approved commissions into a payout */
    create: Call<CreatePayoutData, CreatePayoutResponse, CreatePayoutError>;
    /** List payouts, newest first */
    list: ListCall<ListPayoutsData, ListPayoutsResponse, ListPayoutsError>;
    /** See what a payout would take */
    preview: Call<PreviewPayoutData, PreviewPayoutResponse, PreviewPayoutError>;
    /** Read a payout */
    get: Call<GetPayoutData, GetPayoutResponse, GetPayoutError>;
    /** Export a payout as CSV, for the bank */
    export: Call<ExportPayoutData, string, ExportPayoutError>;
    /** Read what a partner is owed, by currency */
    getParticipantBalance: Call<GetParticipantBalanceData, GetParticipantBalanceResponse, GetParticipantBalanceError>;
    /** List who can send your payouts */
    listProviders: ListCall<ListPayoutProvidersData, ListPayoutProvidersResponse, ListPayoutProvidersError>;
    /** Connect a provider that sends your payouts */
    putProvider: Call<PutPayoutProviderData, PutPayoutProviderResponse, PutPayoutProviderError>;
    /** Disconnect a provider */
    deleteProvider: Call<DeletePayoutProviderData, DeletePayoutProviderResponse, DeletePayoutProviderError>;
    /** Send a payout by a provider */
    send: Call<SendPayoutData, SendPayoutResponse, SendPayoutError>;
    /** List what a provider was told of a payout */
    listBatches: ListCall<ListPayoutBatchesData, ListPayoutBatchesResponse, ListPayoutBatchesError>;
    /** Ask the provider now what became of a batch */
    askBatch: Call<AskPayoutBatchData, AskPayoutBatchResponse, AskPayoutBatchError>;
    /** Say what became of a batch of which nobody knows */
    resolveBatch: Call<ResolvePayoutBatchData, ResolvePayoutBatchResponse, ResolvePayoutBatchError>;
    /** Take back a payment that the partner has not fetched */
    cancelUnclaimedItem: Call<CancelUnclaimedPayoutItemData, CancelUnclaimedPayoutItemResponse, CancelUnclaimedPayoutItemError>;
    /** Report that all items of a payout that are ready were paid */
    complete: Call<CompletePayoutData, CompletePayoutResponse, CompletePayoutError>;
    /** Give up all items of a payout that are ready */
    cancel: Call<CancelPayoutData, CancelPayoutResponse, CancelPayoutError>;
    /** Report what became of one item */
    markItem: Call<MarkPayoutItemData, MarkPayoutItemResponse, MarkPayoutItemError>;
    /** Take a file to pay the items with */
    getFile: Call<GetPayoutFileData, string, GetPayoutFileError>;
    /** Upload what became of the items */
    reportResults: Call<ReportPayoutResultsData, ReportPayoutResultsResponse, ReportPayoutResultsError>;
  };
  programmes: {
    /** Create a programme */
    create: Call<CreateProgramData, CreateProgramResponse, CreateProgramError>;
    /** List the programmes of the current mode */
    list: ListCall<ListProgramsData, ListProgramsResponse, ListProgramsError>;
    /** Read a programme */
    get: Call<GetProgramData, GetProgramResponse, GetProgramError>;
    /** Change a programme */
    update: Call<UpdateProgramData, UpdateProgramResponse, UpdateProgramError>;
    /** Archive a programme, for good */
    archive: Call<ArchiveProgramData, ArchiveProgramResponse, ArchiveProgramError>;
    /** Read the commission rules, in order */
    getCommissionRules: Call<GetCommissionRulesData, GetCommissionRulesResponse, GetCommissionRulesError>;
    /** Replace the commission rules */
    replaceCommissionRules: Call<ReplaceCommissionRulesData, ReplaceCommissionRulesResponse, ReplaceCommissionRulesError>;
    /** Try terms on the sales of a period */
    backTestCommissionRules: Call<BackTestCommissionRulesData, BackTestCommissionRulesResponse, BackTestCommissionRulesError>;
    /** Read an active programme that takes applications */
    getPublic: Call<GetPublicProgramData, GetPublicProgramResponse, GetPublicProgramError>;
  };
  signIn: {
    /** Register a merchant with a new workspace */
    registerMerchant: Call<RegisterMerchantData, RegisterMerchantResponse, RegisterMerchantError>;
    /** Register a partner */
    registerPartner: Call<RegisterPartnerData, RegisterPartnerResponse, RegisterPartnerError>;
    /** Claim an account that a merchant made for you */
    claimPartnerAccount: Call<ClaimPartnerAccountData, ClaimPartnerAccountResponse, ClaimPartnerAccountError>;
    /** Accept an invite to a workspace */
    acceptMemberInvite: Call<AcceptMemberInviteData, AcceptMemberInviteResponse, AcceptMemberInviteError>;
    /** Sign a merchant in */
    loginMerchant: Call<LoginMerchantData, LoginMerchantResponse, LoginMerchantError>;
    /** Get new tokens for a merchant */
    refreshMerchant: Call<RefreshMerchantData, RefreshMerchantResponse, RefreshMerchantError>;
    /** End a merchant's session */
    logoutMerchant: Call<LogoutMerchantData, LogoutMerchantResponse, LogoutMerchantError>;
    /** Sign a partner in */
    loginPartner: Call<LoginPartnerData, LoginPartnerResponse, LoginPartnerError>;
    /** Get new tokens for a partner */
    refreshPartner: Call<RefreshPartnerData, RefreshPartnerResponse, RefreshPartnerError>;
    /** End a partner's session */
    logoutPartner: Call<LogoutPartnerData, LogoutPartnerResponse, LogoutPartnerError>;
    /** Send a merchant a link to reset the password */
    forgotPasswordMerchant: Call<ForgotPasswordMerchantData, ForgotPasswordMerchantResponse, ForgotPasswordMerchantError>;
    /** Set a merchant's password by the token of a reset mail */
    resetPasswordMerchant: Call<ResetPasswordMerchantData, ResetPasswordMerchantResponse, ResetPasswordMerchantError>;
    /** Send a partner a link to reset the password */
    forgotPasswordPartner: Call<ForgotPasswordPartnerData, ForgotPasswordPartnerResponse, ForgotPasswordPartnerError>;
    /** Set a partner's password by the token of a reset mail */
    resetPasswordPartner: Call<ResetPasswordPartnerData, ResetPasswordPartnerResponse, ResetPasswordPartnerError>;
    /** Verify an e-mail address by the token of the mail */
    verifyEmail: Call<VerifyEmailData, VerifyEmailResponse, VerifyEmailError>;
    /** Say by the token of the mail that an account with your address is not yours */
    refuseEmail: Call<RefuseEmailData, RefuseEmailResponse, RefuseEmailError>;
  };
  stripe: {
    /** Read the connection to Stripe */
    getConnection: Call<GetStripeConnectionData, GetStripeConnectionResponse, GetStripeConnectionError>;
    /** Connect to Stripe */
    putConnection: Call<PutStripeConnectionData, PutStripeConnectionResponse, PutStripeConnectionError>;
    /** Disconnect from Stripe */
    deleteConnection: Call<DeleteStripeConnectionData, DeleteStripeConnectionResponse, DeleteStripeConnectionError>;
    /** List Stripe's events */
    listEvents: ListCall<ListStripeEventsData, ListStripeEventsResponse, ListStripeEventsError>;
    /** Process one of Stripe's events again */
    replayEvent: Call<ReplayStripeEventData, ReplayStripeEventResponse, ReplayStripeEventError>;
  };
  testMode: {
    /** List the mails that test mode kept back */
    listNotificationLog: ListCall<ListNotificationLogData, ListNotificationLogResponse, ListNotificationLogError>;
    /** Read one mail that test mode kept back */
    getNotificationLogEntry: Call<GetNotificationLogEntryData, GetNotificationLogEntryResponse, GetNotificationLogEntryError>;
    /** Delete all test data of the workspace */
    resetTestData: Call<ResetTestDataData, ResetTestDataResponse, ResetTestDataError>;
    /** How far the last reset of test data has come */
    getTestDataReset: Call<GetTestDataResetData, GetTestDataResetResponse, GetTestDataResetError>;
  };
  tiers: {
    /** Read the steps of a programme */
    get: Call<GetTiersData, GetTiersResponse, GetTiersError>;
    /** Replace the steps of a programme */
    replace: Call<ReplaceTiersData, ReplaceTiersResponse, ReplaceTiersError>;
  };
  tracking: {
    /** Record a click */
    recordClick: Call<RecordClickData, RecordClickResponse, RecordClickError>;
    /** One click */
    getClick: Call<GetClickData, GetClickResponse, GetClickError>;
    /** End a test click's attribution window now */
    expireClick: Call<ExpireClickData, ExpireClickResponse, ExpireClickError>;
  };
  webhooks: {
    /** Create a webhook endpoint */
    create: Call<CreateWebhookData, CreateWebhookResponse, CreateWebhookError>;
    /** List the webhook endpoints of the current mode */
    list: ListCall<ListWebhooksData, ListWebhooksResponse, ListWebhooksError>;
    /** Read a webhook endpoint */
    get: Call<GetWebhookData, GetWebhookResponse, GetWebhookError>;
    /** Delete a webhook endpoint */
    delete: Call<DeleteWebhookData, DeleteWebhookResponse, DeleteWebhookError>;
    /** Update a webhook endpoint */
    update: Call<UpdateWebhookData, UpdateWebhookResponse, UpdateWebhookError>;
    /** Rotate the signing secret */
    rotateSecret: Call<RotateWebhookSecretData, RotateWebhookSecretResponse, RotateWebhookSecretError>;
    /** Send a test event now */
    ping: Call<PingWebhookData, PingWebhookResponse, PingWebhookError>;
    /** List the deliveries of an endpoint */
    listDeliveries: ListCall<ListWebhookDeliveriesData, ListWebhookDeliveriesResponse, ListWebhookDeliveriesError>;
    /** Read a delivery with its payload, the last answer and all attempts */
    getDelivery: Call<GetWebhookDeliveryData, GetWebhookDeliveryResponse, GetWebhookDeliveryError>;
    /** Queue all dead letters of an endpoint again */
    retryDeadLetters: Call<RetryDeadLettersData, RetryDeadLettersResponse, RetryDeadLettersError>;
    /** Queue a dead letter again */
    retryDelivery: Call<RetryWebhookDeliveryData, RetryWebhookDeliveryResponse, RetryWebhookDeliveryError>;
    /** Send the event of a delivery again */
    replayDelivery: Call<ReplayWebhookDeliveryData, ReplayWebhookDeliveryResponse, ReplayWebhookDeliveryError>;
    /** List the events of the last 30 days */
    listEvents: ListCall<ListEventsData, ListEventsResponse, ListEventsError>;
    /** Read an event of the last 30 days */
    getEvent: Call<GetEventData, GetEventResponse, GetEventError>;
  };
  workspace: {
    /** Read your workspace */
    get: Call<GetWorkspaceData, GetWorkspaceResponse, GetWorkspaceError>;
    /** Change your workspace */
    update: Call<UpdateWorkspaceData, UpdateWorkspaceResponse, UpdateWorkspaceError>;
    /** Close your workspace */
    close: Call<CloseWorkspaceData, CloseWorkspaceResponse, CloseWorkspaceError>;
    /** Take the closing of your workspace back */
    reopen: Call<ReopenWorkspaceData, ReopenWorkspaceResponse, ReopenWorkspaceError>;
    /** Whether tracking works */
    getTracking: Call<GetTrackingData, GetTrackingResponse, GetTrackingError>;
    /** Read the audit log */
    listAuditLog: ListCall<ListAuditLogData, ListAuditLogResponse, ListAuditLogError>;
    /** List addresses that no mail is sent to */
    listSuppressedAddresses: ListCall<ListSuppressedAddressesData, ListSuppressedAddressesResponse, ListSuppressedAddressesError>;
    /** Send mail to an address again */
    liftSuppressedAddress: Call<LiftSuppressedAddressData, LiftSuppressedAddressResponse, LiftSuppressedAddressError>;
    /** Count what waits for you, of the current mode */
    getInbox: Call<GetInboxData, GetInboxResponse, GetInboxError>;
    /** List where something waits for you, of the current mode */
    listInboxPlaces: ListCall<ListInboxPlacesData, ListInboxPlacesResponse, ListInboxPlacesError>;
  };
}

/** Every event that a webhook receives, told apart by its `type`. */
export type WebhookEvent =
  | ConversionCreatedEvent
  | ConversionRefundedEvent
  | ConversionFraudDetectedEvent
  | CommissionCreatedEvent
  | CommissionApprovedEvent
  | CommissionRejectedEvent
  | CommissionRefundedEvent
  | CommissionPaidEvent
  | CommissionUpdatedEvent
  | ParticipantAppliedEvent
  | ParticipantApprovedEvent
  | ParticipantRejectedEvent
  | ParticipantSuspendedEvent
  | ParticipantErasedEvent
  | ParticipantMovedEvent
  | PayoutCreatedEvent
  | PayoutCompletedEvent
  | PayoutCancelledEvent
  | PayoutItemReturnedEvent
  | PayoutItemUpdatedEvent
  | WebhookTestEvent;
