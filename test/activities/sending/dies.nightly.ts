// At each step.
import './dies.test';
