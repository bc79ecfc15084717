export interface PartnerProgram {
  programId: string;
  programName: string;
  participantId: string;
  status: string;
  referralCode: string | null;
  promoCodes: string[];
}

export interface Balance {
  currency: string;
  pendingCents: number;
  approvedCents: number;
  inPayoutCents: number;
  paidCents: number;
  debtCents: number;
}
