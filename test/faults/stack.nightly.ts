// With a second start.
import './stack.test';
