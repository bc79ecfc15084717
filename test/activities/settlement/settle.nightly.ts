// Every order.
import './settle.test';

// One of them takes more than a minute beside other suites.
jest.setTimeout(300_000);
