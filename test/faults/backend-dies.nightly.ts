// The connection of every statement dies, not of a few.
import './backend-dies.test';
