import { Baseline1700000000001 } from './0001-baseline';
import { Credit1700000000010 } from './0010-credit';
import { CreditIndexes1700000000011 } from './0011-credit-indexes';
import { CreditConstraints1700000000012 } from './0012-credit-constraints';
import { FormerTerms1700000000020 } from './0020-former-terms';
import { Addresses1700000000040 } from './0040-addresses';
import { AddressesAreFound1700000000041 } from './0041-addresses-are-found';
import { AskForProofs1700000000042 } from './0042-ask-for-proofs';
import { PinnedPayoutMethods1700000000050 } from './0050-pinned-payout-methods';
import { NettedCommissions1700000000051 } from './0051-netted-commissions';
import { Books1700000000052 } from './0052-books';
import { ItemsOfSales1700000000060 } from './0060-items-of-sales';
import { NoticesForAdmins1700000000080 } from './0080-notices-for-admins';
import { ComposedAddresses1700000000081 } from './0081-composed-addresses';
import { Imports1700000000100 } from './0100-imports';
import { ImportsHold1700000000101 } from './0101-imports-hold';
import { ImportedTokensAreFound1700000000102 } from './0102-imported-tokens-are-found';
import { ImportsInFigures1700000000103 } from './0103-imports-in-figures';
import { ImportsAreUndone1700000000104 } from './0104-imports-are-undone';
import { NobodysCustomers1700000000105 } from './0105-nobodys-customers';
import { ImportsByGroups1700000000106 } from './0106-imports-by-groups';
import { ImportRowsHaveRoom1700000000107 } from './0107-import-rows-have-room';
import { Groups1700000000120 } from './0120-groups';
import { GroupsAreFound1700000000121 } from './0121-groups-are-found';
import { Tiers1700000000122 } from './0122-tiers';
import { TermsTold1700000000123 } from './0123-terms-told';
import { Bonuses1700000000130 } from './0130-bonuses';
import { Billers1700000000140 } from './0140-billers';
import { BillersAreFound1700000000141 } from './0141-billers-are-found';
import { BillersHold1700000000142 } from './0142-billers-hold';
import { BillerCodes1700000000143 } from './0143-biller-codes';
import { PendingBillerCodes1700000000144 } from './0144-pending-biller-codes';
import { PolarEventsOfPayments1700000000145 } from './0145-polar-events-of-payments';
import { DiscountsWithoutText1700000000146 } from './0146-discounts-without-text';
import { PayoutProviders1700000000160 } from './0160-payout-providers';
import { PayoutBatches1700000000161 } from './0161-payout-batches';
import { PayoutItemsSending1700000000162 } from './0162-payout-items-sending';
import { PayoutAttention1700000000163 } from './0163-payout-attention';
import { FormerStatuses1700000000164 } from './0164-former-statuses';
import { ParticipantsByName1700000000165 } from './0165-participants-by-name';
import { PaymentsOfBatches1700000000166 } from './0166-payments-of-batches';
import { SimilarCodes1700000000180 } from './0180-similar-codes';
import { SimilarCodesAreFound1700000000181 } from './0181-similar-codes-are-found';
import { Shipments1700000000190 } from './0190-shipments';
import { TextsOfDiscounts1700000000191 } from './0191-texts-of-discounts';
import { SalesByDiscount1700000000192 } from './0192-sales-by-discount';
import { RefundsBeforeImports1700000000198 } from './0198-refunds-before-imports';

/** The migrations in the order in which they run: by the number at the end of the class name. */
export const migrations = [
  Baseline1700000000001,
  Credit1700000000010,
  CreditIndexes1700000000011,
  CreditConstraints1700000000012,
  FormerTerms1700000000020,
  Addresses1700000000040,
  AddressesAreFound1700000000041,
  AskForProofs1700000000042,
  PinnedPayoutMethods1700000000050,
  NettedCommissions1700000000051,
  Books1700000000052,
  ItemsOfSales1700000000060,
  NoticesForAdmins1700000000080,
  ComposedAddresses1700000000081,
  Imports1700000000100,
  ImportsHold1700000000101,
  ImportedTokensAreFound1700000000102,
  ImportsInFigures1700000000103,
  ImportsAreUndone1700000000104,
  NobodysCustomers1700000000105,
  ImportsByGroups1700000000106,
  ImportRowsHaveRoom1700000000107,
  Groups1700000000120,
  GroupsAreFound1700000000121,
  Tiers1700000000122,
  TermsTold1700000000123,
  Bonuses1700000000130,
  Billers1700000000140,
  BillersAreFound1700000000141,
  BillersHold1700000000142,
  BillerCodes1700000000143,
  PendingBillerCodes1700000000144,
  PolarEventsOfPayments1700000000145,
  DiscountsWithoutText1700000000146,
  PayoutProviders1700000000160,
  PayoutBatches1700000000161,
  PayoutItemsSending1700000000162,
  PayoutAttention1700000000163,
  FormerStatuses1700000000164,
  ParticipantsByName1700000000165,
  PaymentsOfBatches1700000000166,
  SimilarCodes1700000000180,
  SimilarCodesAreFound1700000000181,
  Shipments1700000000190,
  TextsOfDiscounts1700000000191,
  SalesByDiscount1700000000192,
  RefundsBeforeImports1700000000198,
];
