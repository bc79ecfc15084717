// The same suite with more commissions, and more debts, than one payout can hold.
import './payouts.test';
