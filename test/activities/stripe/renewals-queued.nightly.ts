// Many more orders of events, reports and looks.
import './renewals-queued.test';
