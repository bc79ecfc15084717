// Every order.
import './settle.test';

// Beside others one of them takes more than a minute.
jest.setTimeout(300_000);
