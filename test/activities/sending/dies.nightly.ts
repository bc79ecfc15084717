// The same suite with a death at each step.
import './dies.test';
