// Every order.
import './settle.test';
