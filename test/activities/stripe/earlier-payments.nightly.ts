// Many more states.
import './earlier-payments.test';
