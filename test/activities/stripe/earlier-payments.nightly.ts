// Many more states.
import './earlier-payments.test';

jest.setTimeout(240_000);
