// With what is killed, and a second start.
import './stack.test';
