// With more debts than one payout can net.
import './payouts.test';
