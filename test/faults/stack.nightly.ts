// The same suite with what is killed, and a second start.
import './stack.test';
